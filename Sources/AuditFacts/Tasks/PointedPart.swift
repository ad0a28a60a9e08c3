// SPDX-License-Identifier: Apache-2.0

import Formatting
import Imaging
import Landmarks
import VisionTasks

/// A face, a hand or a body that the models of a bundle found.
struct PointedPart {
  /// What it is called.
  let kind: String
  /// How likely it is seen, from 0 to 1.
  let score: Float
  /// The points in pixels of the image as stored.
  let points: [Landmark]
  /// The lines between points.
  let connections: [Skeleton.Connection]

  fileprivate var thing: PointedThing {
    PointedThing(
      score: score, frame: nil,
      points: points.map { (Double($0.x), Double($0.y), Double($0.visibility ?? 1)) })
  }
}

extension FaceLandmarker.Face {
  /// The face with its points.
  var pointed: PointedPart {
    PointedPart(
      kind: "face", score: presence, points: landmarks,
      connections: Skeleton.faceContours
        + (landmarks.count > FaceMeshRefinement.meshCount ? Skeleton.faceIrises : []))
  }
}

extension HandLandmarker.Hand {
  /// The hand with its points.
  var pointed: PointedPart {
    PointedPart(
      kind: handedness.map { "\($0.rawValue) hand" } ?? "hand", score: presence,
      points: landmarks, connections: Skeleton.hand)
  }
}

extension PoseLandmarker.Body {
  /// The person with its points.
  var pointed: PointedPart {
    PointedPart(
      kind: "person", score: presence, points: landmarks, connections: Skeleton.pose)
  }
}

extension TaskFacts {
  /// Adds the image with parts drawn into it, and their points.
  mutating func add(
    _ parts: [PointedPart], _ kind: String, _ picture: AuditedPicture
  ) throws {
    var image = picture.pixels.converted(to: .rgb8)
    for (number, part) in parts.enumerated() {
      part.thing.draw(into: &image, color: .distinct(number), part.connections)
    }
    try add(image, picture.orientation, "The image with \(parts.count) of: \(kind)")
    let rows = parts.enumerated().flatMap { number, part in
      part.points.enumerated().map { index, point in
        [
          "\(number + 1)", part.kind, Double(part.score).fixed(4), "\(index)",
          Double(point.x).fixed(1), Double(point.y).fixed(1), Double(point.z).fixed(1),
          point.visibility.map { Double($0).fixed(3) } ?? "",
        ]
      }
    }
    add(
      "Points in pixels of the image as stored",
      [
        ("Number", true), ("Part", false), ("Its score", true), ("Point", true), ("x", true),
        ("y", true), ("Depth", true), ("Visibility", true),
      ], rows)
  }
}
