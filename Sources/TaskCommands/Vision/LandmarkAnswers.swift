// SPDX-License-Identifier: Apache-2.0

import Formatting
import Imaging
import JSONDocuments
import Landmarks
import VisionTasks

/// What a task says of something with points.
struct FoundPoints {
  /// The points, and what they belong to.
  let figure: PointFigure
  /// What else is said, for a reader.
  var remarks: [String] = []
  /// The same for a program.
  var members: JSON = .object([])
}

extension TaskAnswer {
  /// The columns of points.
  static let pointColumns = ["number", "kind", "score", "point", "x", "y", "z", "visibility"]

  /// What was found in an image.
  init(_ found: [FoundPoints]) {
    self.init()
    for (number, thing) in found.enumerated() {
      let figure = thing.figure
      var line = "  \(figure.kind) \(Double(figure.score).fixed(4)), \(figure.points.count) points"
      if let frame = figure.frame {
        line +=
          " in (\(frame.x.fixed(1)), \(frame.y.fixed(1))), "
          + "\(frame.width.fixed(1)) x \(frame.height.fixed(1))"
      }
      lines.append(line)
      lines += thing.remarks.map { "    \($0)" }
      for (index, point) in figure.points.enumerated() {
        rows.append([
          "\(number + 1)", figure.kind, "\(figure.score)", figure.name(of: index) ?? "\(index)",
          "\(point.x)", "\(point.y)", "\(point.z)", point.visibility.map { "\($0)" },
        ])
      }
    }
    if found.isEmpty { lines = ["  nothing found"] }
    members = ["found": .array(found.map(\.document))]
  }
}

extension FoundPoints {
  /// The thing for a program.
  fileprivate var document: JSON {
    JSON.record([
      "kind": .string(figure.kind), "score": .float(figure.score),
      "box": figure.frame.map { frame in
        [
          "x": .number(frame.x), "y": .number(frame.y), "width": .number(frame.width),
          "height": .number(frame.height),
        ]
      },
      "points": .array(
        figure.points.enumerated().map { index, point in point.json(name: figure.name(of: index)) }),
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
