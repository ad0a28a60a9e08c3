// SPDX-License-Identifier: Apache-2.0

import Imaging
import SeededRandom
import VisionTasks

/// A scripted film, and a detector that makes mistakes of known kinds.
struct TrackingScene: Sendable {
  /// What an actor looks like in a frame.
  struct Truth {
    let actor: Int
    /// The box, cut to the image.
    let box: ImageRect
    /// The box around what can be seen.
    let visibleBox: ImageRect
    /// The share of the actor that can be seen.
    let visibility: Double

    /// What an ideal detector finds: the box, or if much is hidden, that of the rest.
    var ideal: ImageRect { visibility >= 0.6 ? box : visibleBox }

    /// Actors that are hidden for the most part need not be found.
    var counts: Bool { visibility >= 0.3 }
  }

  struct Frame {
    let image: PixelBuffer
    let truths: [Truth]
    let observations: [ObjectTracker.Observation]
  }

  static let width = 320
  static let height = 240

  let actors: [TrackingActor]
  var frameCount = 60
  /// How often an actor in plain view is not found.
  var missShare = 0.05
  /// The deviation of the edges of boxes, in sizes.
  var boxNoise = 0.03
  /// False findings per frame.
  var falseShare = 0.2
  /// How far the camera may be off, in pixels.
  var shake = 0.0
  /// Every how many frames the detector runs.
  var interval = 1

  /// All frames; another seed gives other mistakes and another ground.
  func frames(seed: UInt64) -> [Frame] {
    var numbers = SeededRandom(seed: seed)
    let ground = Self.ground(&numbers)
    return (0..<frameCount).map { index in
      let offset = (shake * (2 * numbers.unit() - 1), shake * (2 * numbers.unit() - 1))
      let (image, truths) = drawn(index, on: ground, offset: offset, &numbers)
      return Frame(
        image: image, truths: truths, observations: observations(truths, &numbers))
    }
  }

  /// Patches of muted colors.
  private static func ground(_ numbers: inout SeededRandom) -> [UInt8] {
    let patches = (0..<12 * 9).map { _ in
      (0..<3).map { _ in 90 + 60 * numbers.unit() }
    }
    var bytes: [UInt8] = []
    for row in 0..<height {
      for column in 0..<width {
        let patch = patches[row / 28 * 12 + column / 28]
        let texture = Double((column &* 7 ^ row &* 13) & 15)
        bytes += patch.map { UInt8($0 + texture) }
      }
    }
    return bytes
  }

  private func drawn(
    _ frame: Int, on ground: [UInt8], offset: (Double, Double), _ numbers: inout SeededRandom
  ) -> (PixelBuffer, [Truth]) {
    var bytes = ground
    var owner = [Int](repeating: -1, count: Self.width * Self.height)
    var totals = [Int](repeating: 0, count: actors.count)
    for (index, actor) in actors.enumerated() {
      guard var box = actor.box(at: frame) else { continue }
      box.x += offset.0
      box.y += offset.1
      for row in Int(box.y.rounded())..<Int((box.y + box.height).rounded()) {
        for column in Int(box.x.rounded())..<Int((box.x + box.width).rounded()) {
          let u = (Double(column) + 0.5 - box.x) / box.width
          let v = (Double(row) + 0.5 - box.y) / box.height
          guard let color = actor.color(u, v) else { continue }
          totals[index] += 1
          guard (0..<Self.width).contains(column), (0..<Self.height).contains(row) else {
            continue
          }
          let location = row * Self.width + column
          owner[location] = index
          for channel in 0..<3 {
            bytes[3 * location + channel] = UInt8(
              truncatingIfNeeded: color >> (16 - 8 * UInt32(channel)))
          }
        }
      }
    }
    let light = 0.95 + 0.1 * numbers.unit()
    for location in bytes.indices {
      let noise = Double(numbers.next() & 15) - 7.5
      bytes[location] = UInt8(min(max(Double(bytes[location]) * light + noise, 0), 255))
    }
    let image = try? PixelBuffer(
      width: Self.width, height: Self.height, format: .rgb8, bytes: bytes)
    guard let image else { preconditionFailure("the scene's size does not fit") }
    return (image, truths(frame, owner, totals, offset))
  }

  private func truths(
    _ frame: Int, _ owner: [Int], _ totals: [Int], _ offset: (Double, Double)
  ) -> [Truth] {
    var extents = [Extent](repeating: Extent(), count: actors.count)
    for location in owner.indices where owner[location] >= 0 {
      extents[owner[location]].add(column: location % Self.width, row: location / Self.width)
    }
    var truths: [Truth] = []
    for (index, actor) in actors.enumerated() where !actor.isScenery {
      guard let box = actor.box(at: frame), extents[index].count > 0 else { continue }
      let (x, y) = (max(box.x + offset.0, 0), max(box.y + offset.1, 0))
      let whole = ImageRect(
        x: x, y: y, width: min(box.x + offset.0 + box.width, Double(Self.width)) - x,
        height: min(box.y + offset.1 + box.height, Double(Self.height)) - y)
      truths.append(
        Truth(
          actor: index, box: whole, visibleBox: extents[index].box,
          visibility: Double(extents[index].count) / Double(totals[index])))
    }
    return truths
  }

  /// What a detector of middling quality finds: half hidden actors with low scores and by what
  /// can be seen of them, some not at all, and some things that are not there.
  private func observations(
    _ truths: [Truth], _ numbers: inout SeededRandom
  ) -> [ObjectTracker.Observation] {
    var found: [ObjectTracker.Observation] = []
    for truth in truths {
      let isMissed = numbers.unit() < missShare
      let level = numbers.unit()
      let noise = (0..<4).map { _ in numbers.normal() * boxNoise }
      guard truth.counts, !isMissed else { continue }
      let box = truth.ideal
      let score = truth.visibility >= 0.6 ? 0.55 + 0.4 * level : 0.12 + 0.4 * level
      let left = box.x + noise[0] * box.width
      let top = box.y + noise[1] * box.height
      let right = box.x + box.width * (1 + noise[2])
      let bottom = box.y + box.height * (1 + noise[3])
      let frame = ImageRect(x: left, y: top, width: right - left, height: bottom - top)
      found.append(ObjectTracker.Observation(frame: frame, score: Float(score)))
    }
    if numbers.unit() < falseShare {
      let frame = ImageRect(
        x: numbers.unit() * 280, y: numbers.unit() * 200, width: 15 + numbers.unit() * 60,
        height: 15 + numbers.unit() * 60)
      let score = Float(0.12 + 0.4 * numbers.unit())
      found.append(ObjectTracker.Observation(frame: frame, score: score))
    }
    return found.shuffled(using: &numbers)
  }
}

/// The pixels of an actor that can be seen.
private struct Extent {
  var count = 0
  private var columns = (first: Int.max, last: Int.min)
  private var rows = (first: Int.max, last: Int.min)

  var box: ImageRect {
    ImageRect(
      x: Double(columns.first), y: Double(rows.first),
      width: Double(columns.last - columns.first + 1),
      height: Double(rows.last - rows.first + 1))
  }

  mutating func add(column: Int, row: Int) {
    count += 1
    columns = (min(columns.first, column), max(columns.last, column))
    rows = (min(rows.first, row), max(rows.last, row))
  }
}
