// SPDX-License-Identifier: Apache-2.0

import Formatting
import ImageCodecs
import Imaging
import JSONDocuments
import Landmarks

/// One thing with points that a task found in an image.
struct FoundPoints {
  /// What it is called: `face`, `hand`, `person`.
  let kind: String
  /// How sure the model is, from 0 to 1.
  let score: Float
  /// The points in pixels of the image as stored.
  let points: [Landmark]
  /// Which points are joined.
  var connections: [Skeleton.Connection] = []
  /// The box in pixels of the image as stored.
  var frame: ImageRect?
  /// What else is said, for a reader.
  var remarks: [String] = []
  /// The same for a program.
  var members: JSON = .object([])
  /// Points with a lower visibility are not drawn.
  static let leastVisibility: Float = 0.5
}

extension TaskAnswer {
  /// The columns of points.
  static let pointColumns = ["number", "kind", "score", "point", "x", "y", "z", "visibility"]

  /// What was found in an image; `names` are those of the points, if they have names.
  init(_ found: [FoundPoints], names: [String] = []) {
    self.init()
    for (number, thing) in found.enumerated() {
      var line = "  \(thing.kind) \(Double(thing.score).fixed(4)), \(thing.points.count) points"
      if let frame = thing.frame {
        line +=
          " in (\(frame.x.fixed(1)), \(frame.y.fixed(1))), "
          + "\(frame.width.fixed(1)) x \(frame.height.fixed(1))"
      }
      lines.append(line)
      lines += thing.remarks.map { "    \($0)" }
      for (index, point) in thing.points.enumerated() {
        let name = names.indices.contains(index) ? names[index] : "\(index)"
        rows.append([
          "\(number + 1)", thing.kind, "\(thing.score)", name, "\(point.x)", "\(point.y)",
          "\(point.z)", point.visibility.map { "\($0)" },
        ])
      }
    }
    if found.isEmpty { lines = ["  nothing found"] }
    members = [
      "found": .array(found.map { $0.document(names) })
    ]
  }
}

extension FoundPoints {
  /// The thing for a program.
  fileprivate func document(_ names: [String]) -> JSON {
    JSON.record([
      "kind": .string(kind), "score": .float(score),
      "box": frame.map { frame in
        [
          "x": .number(frame.x), "y": .number(frame.y), "width": .number(frame.width),
          "height": .number(frame.height),
        ]
      },
      "points": .array(
        points.enumerated().map { index, point in
          point.json(name: names.indices.contains(index) ? names[index] : nil)
        }),
    ]).adding(members)
  }
}

extension Landmark {
  /// The point for a program.
  func json(name: String? = nil) -> JSON {
    .record([
      "name": name.map { .string($0) }, "x": .float(x), "y": .float(y), "z": .float(z),
      "visibility": visibility.map { .float($0) }, "presence": presence.map { .float($0) },
    ])
  }
}

extension PixelBuffer {
  /// Draws points and their connections into the image.
  ///
  /// - Parameters:
  ///   - found: things with points in pixels of the image as stored.
  ///   - orientation: how the image must be turned to be upright.
  /// - Returns: the image with the drawing, upright.
  func drawn(_ found: [FoundPoints], orientation: ImageOrientation) -> PixelBuffer {
    var image = converted(to: .rgb8)
    let unit = Double(max(width, height)) / 320
    for (number, thing) in found.enumerated() {
      let color = PixelColor.distinct(number)
      let points = thing.points.map { DrawnPoint(x: Double($0.x), y: Double($0.y)) }
      func isShown(_ index: Int) -> Bool {
        points.indices.contains(index)
          && (thing.points[index].visibility ?? 1) >= FoundPoints.leastVisibility
      }
      let thickness = max(thing.points.count > 100 ? unit / 2 : unit, 1)
      for connection in thing.connections where isShown(connection.start) && isShown(connection.end)
      {
        image.drawLine(
          from: points[connection.start], to: points[connection.end], thickness: thickness,
          color: color)
      }
      for index in points.indices where isShown(index) {
        image.fillCircle(
          at: points[index], radius: max(thing.points.count > 100 ? unit * 0.6 : unit * 1.5, 1),
          with: .white)
        image.fillCircle(
          at: points[index], radius: max(thing.points.count > 100 ? unit * 0.4 : unit, 0.7),
          with: color)
      }
      if let frame = thing.frame {
        image.stroke(frame, thickness: max(1, Int(unit)), color: color)
      }
    }
    return image.upright(from: orientation)
  }
}
