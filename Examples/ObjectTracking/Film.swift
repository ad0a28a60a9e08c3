// SPDX-License-Identifier: Apache-2.0

import Foundation
import Imaging

/// The frames to look at, in order.
struct Film {
  /// A frame that is made or read when it is needed.
  struct Frame {
    let name: String
    let image: () throws -> PixelBuffer
  }

  let frames: [Frame]

  /// The image files of a folder, by the numbers in their names.
  init(folder: String) throws {
    let extensions = Set(ImageFormat.allCases.flatMap(\.fileExtensions))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
      .map { URL(fileURLWithPath: folder).appendingPathComponent($0) }
      .filter { extensions.contains($0.pathExtension.lowercased()) }
      .sorted {
        $0.lastPathComponent.compare($1.lastPathComponent, options: .numeric) == .orderedAscending
      }
    frames = files.map { file in
      Frame(name: file.deletingPathExtension().lastPathComponent + ".png") {
        let image = try ImageFile.decode(Array(try Data(contentsOf: file)))
        return PixelBuffer(image).upright(from: image.orientation ?? .up)
      }
    }
  }

  private init(frames: [Frame]) { self.frames = frames }

  /// Sixty frames in which toys roll and slide past each other on a table.
  static func synthetic() throws -> Film {
    Film(
      frames: try (0..<60).map { index in
        let number = String(format: "%03d", index)
        let table = try PixelBuffer(
          width: 480, height: 360, format: .rgb8,
          filledWith: PixelColor(red: 186, green: 164, blue: 132))
        return Frame(name: "frame_\(number).png") { table.withToys(at: Double(index) / 59) }
      })
  }
}

extension PixelBuffer {
  func write(to path: String) throws {
    try Data(encodedAsPNG()).write(to: URL(fileURLWithPath: path))
  }

  /// The toys, from 0 at the start to 1 at the end; those drawn later are in front.
  fileprivate func withToys(at time: Double) -> PixelBuffer {
    var image = self
    image.drawGrain()
    image.drawBall(x: 60 + 360 * time, y: 130, radius: 34, colorIndex: 0)
    image.drawBlock(x: 400 - 350 * time, y: 120 + 30 * time, side: 62, colorIndex: 2)
    image.drawBall(x: 240, y: 60 + 240 * time, radius: 26, colorIndex: 3)
    // It leaves the table and comes back.
    let away = abs(time - 0.55)
    image.drawBlock(x: 530 - 330 * min(away * 2, 0.55), y: 280, side: 54, colorIndex: 1)
    image.drawBlock(x: 90, y: 290, side: 70, colorIndex: 11)
    return image
  }

  /// Wood, more or less.
  private mutating func drawGrain() {
    for row in stride(from: 0, to: height, by: 6) {
      let shade = UInt8(row * 37 % 29)
      fill(
        ImageRect(x: 0, y: Double(row), width: Double(width), height: 3),
        with: PixelColor(red: 110, green: 80, blue: 50, alpha: shade))
    }
  }

  private mutating func drawBall(x: Double, y: Double, radius: Double, colorIndex: Int) {
    for row in stride(from: -radius, to: radius, by: 1) {
      let half = (radius * radius - row * row).squareRoot()
      fill(
        ImageRect(x: x - half, y: y + row, width: 2 * half, height: 1),
        with: abs(row) < radius / 4 ? .white : .distinct(colorIndex))
    }
  }

  private mutating func drawBlock(x: Double, y: Double, side: Double, colorIndex: Int) {
    let box = ImageRect(x: x - side / 2, y: y - side / 2, width: side, height: side)
    fill(box, with: .distinct(colorIndex))
    stroke(box, thickness: 4, color: PixelColor(red: 0, green: 0, blue: 0, alpha: 90))
    let scale = Int(side) / 9
    draw(
      ["A", "B", "C", "D"][colorIndex % 4], x: Int(x) - 2 * scale, y: Int(y) - 3 * scale,
      scale: scale, color: .white)
  }
}
