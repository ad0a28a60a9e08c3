// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Foundation
import Imaging
import Martlet
import VisionTasks

/// Follows objects through a film: finds them in every frame, numbers them, draws them.
///
///     swift run -c release ObjectTracking [frames-folder] [--model detector.tflite]
///       [--output folder] [--threshold score] [--every n] [--prominent]
@main
struct ObjectTracking {
  static func main() {
    do {
      try run(Arguments(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ arguments: Arguments) throws {
    let film = try arguments.frames.map(Film.init(folder:)) ?? Film.synthetic()
    try FileManager.default.createDirectory(
      atPath: arguments.output, withIntermediateDirectories: true)
    let detector = try detector(arguments)
    var tracking = ObjectTracker.Options()
    tracking.confidentScore = arguments.threshold
    tracking.focus = arguments.prominent ? .prominent : .all
    var tracker = ObjectTracker(options: tracking)

    var summary = Summary()
    for (index, frame) in film.frames.enumerated() {
      let image = try frame.image()
      // With --every n the detector sees every nth frame; between, the tracker predicts.
      let objects =
        index % arguments.interval == 0
        ? tracker.update(objects: try detector.detect(image), image: image)
        : tracker.predict().map(DetectedObject.init)
      summary.add(objects, frame: index)
      print(frame.name.padded(to: 16), objects.map(\.line).joined(separator: "   "))
      try image.annotated(with: objects.map(Annotation.init)).converted(to: .rgb8)
        .write(to: "\(arguments.output)/\(frame.name)")
    }
    print("\n\(summary.table)\nannotated frames: \(arguments.output)")
  }

  private static func detector(_ arguments: Arguments) throws -> ObjectDetector {
    var options = ObjectDetector.Options()
    options.maxObjects = 20
    // Lower than what starts a track: by doubtful findings the tracker follows what is half hidden.
    options.scoreThreshold = arguments.threshold / 2
    let path = try arguments.model ?? BundledModels.path(of: BundledModels.localizer)
    return try ObjectDetector(Model(path: path), options: options)
  }
}

extension DetectedObject {
  /// An object as the tracker predicts it.
  init(_ object: TrackedObject) {
    self.init(frame: object.frame, score: object.score, trackingID: object.trackingID)
  }

  /// What the object is called in images and lines: its number and, if known, its class.
  var caption: String {
    let number = trackingID.map { "#\($0)" }
    return [number, category?.label].compactMap { $0 }.filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// The object in a line of the table.
  var line: String {
    let locations = [frame.x, frame.y, frame.width, frame.height].map { String(Int($0.rounded())) }
    return "\(caption) \(score.twoDigits) [\(locations.joined(separator: " "))]"
  }
}

extension Annotation {
  /// A tracked object's box, in the color of its number.
  init(_ object: DetectedObject) {
    self.init(
      frame: object.frame, text: "\(object.caption) \(object.score.twoDigits)",
      colorIndex: object.trackingID ?? 0)
  }
}

extension Float {
  var twoDigits: String { String(format: "%.2f", Double(self)) }
}
