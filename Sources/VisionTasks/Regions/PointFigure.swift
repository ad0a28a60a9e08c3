// SPDX-License-Identifier: Apache-2.0

package import Imaging
package import Landmarks

/// Something with points that was found in an image: a face, a hand, a person.
package struct PointFigure: Sendable {
  /// What it is: `face`, `left hand`, `person`.
  package var kind: String
  /// How sure the model is, from 0 to 1.
  package let score: Float
  /// The points in pixels of the image as stored.
  package let points: [Landmark]
  /// The names of the points; empty where they have none.
  package var names: [String] = []
  /// Which points are joined by lines.
  package var connections: [Skeleton.Connection] = []
  /// The box in pixels of the image as stored; nil where none is found.
  package var frame: ImageRect?
  /// Points with a lower visibility are not drawn.
  package var leastVisibility: Float = 0.5

  package init(_ kind: String, score: Float, points: [Landmark]) {
    self.kind = kind
    self.score = score
    self.points = points
  }

  /// The name of a point; nil where it has none.
  package func name(of index: Int) -> String? {
    names.indices.contains(index) ? names[index] : nil
  }

  /// A point that is seen, in pixels; nil of others.
  private func drawnPoint(_ index: Int) -> DrawnPoint? {
    guard points.indices.contains(index), points[index].visibility ?? 1 >= leastVisibility else {
      return nil
    }
    return DrawnPoint(x: Double(points[index].x), y: Double(points[index].y))
  }

  /// Draws the lines, then the points, then the box.
  ///
  /// - Parameters:
  ///   - image: the image as stored; everything is thicker in a larger one.
  ///   - color: the color of all.
  package func draw(into image: inout PixelBuffer, color: PixelColor) {
    let unit = Double(max(image.width, image.height)) / 320
    let isDense = points.count > 100
    for connection in connections {
      guard let start = drawnPoint(connection.start), let end = drawnPoint(connection.end) else {
        continue
      }
      image.drawLine(
        from: start, to: end, thickness: max(isDense ? unit / 2 : unit, 1), color: color)
    }
    for point in points.indices.compactMap(drawnPoint) {
      image.fillCircle(at: point, radius: max(isDense ? unit * 0.6 : unit * 1.5, 1), with: .white)
      image.fillCircle(at: point, radius: max(isDense ? unit * 0.4 : unit, 0.7), with: color)
    }
    if let frame { image.stroke(frame, thickness: max(1, Int(min(unit, 64))), color: color) }
  }
}

extension PixelBuffer {
  /// The image with figures drawn into it, each in its own color.
  package func drawn(_ figures: [PointFigure]) -> PixelBuffer {
    var image = converted(to: .rgb8)
    for (number, figure) in figures.enumerated() {
      figure.draw(into: &image, color: .distinct(number))
    }
    return image
  }
}

/// What has points in an image.
package protocol PointFigureConvertible {
  /// Its points, for a reader and a drawing.
  var figure: PointFigure { get }
}

extension RegionDetector.Region: PointFigureConvertible {
  package var figure: PointFigure {
    var figure = PointFigure(kind.figureName, score: score, points: points)
    figure.names = kind.pointNames
    figure.frame = frame
    return figure
  }
}

extension FaceLandmarker.Face: PointFigureConvertible {
  package var figure: PointFigure {
    var figure = PointFigure("face", score: presence, points: landmarks)
    figure.connections =
      Skeleton.faceContours
      + (landmarks.count > FaceMeshRefinement.meshCount ? Skeleton.faceIrises : [])
    return figure
  }
}

extension HandLandmarker.Hand: PointFigureConvertible {
  package var figure: PointFigure {
    let kind = handedness.map { "\($0.rawValue) hand" } ?? "hand"
    var figure = PointFigure(kind, score: presence, points: landmarks)
    figure.connections = Skeleton.hand
    return figure
  }
}

extension PoseLandmarker.Body: PointFigureConvertible {
  package var figure: PointFigure {
    var figure = PointFigure("person", score: presence, points: landmarks)
    figure.connections = Skeleton.pose
    return figure
  }
}

extension Pose: PointFigureConvertible {
  package var figure: PointFigure {
    let points = keyPoints.map { Landmark(x: $0.x, y: $0.y, visibility: $0.score) }
    let isBody = points.count == BodyPart.allCases.count
    var figure = PointFigure(isBody ? "person" : "object", score: score, points: points)
    if isBody {
      figure.names = BodyPart.allCases.map { "\($0)" }
      figure.connections = Skeleton.body
    }
    figure.leastVisibility = 0.3
    figure.frame = box.map {
      ImageRect(
        x: Double($0.left), y: Double($0.top), width: Double($0.width), height: Double($0.height))
    }
    return figure
  }
}
