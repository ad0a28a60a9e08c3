// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension NormalizedRect {
  /// The landmarks of a hand that span its region: the wrist and the fingers' first three joints.
  private static let handPoints = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18]

  /// The smallest turned box around a hand's landmarks, the fingers up.
  ///
  /// The angle is that from the wrist to the middle of the second joints of index, middle and ring
  /// finger, the middle one having half of the weight: MediaPipe's
  /// `hand_landmarks_to_rect_calculator`. Nil for another number of landmarks.
  ///
  /// - Parameters:
  ///   - points: the 21 landmarks of a hand, as fractions of the image.
  ///   - columns: the image's columns.
  ///   - rows: the image's rows.
  public init?(hand points: [Landmark], columns: Int, rows: Int) {
    guard points.count == 21 else { return nil }
    let pixels = points.inPixels(columns: columns, rows: rows)
    // The calculator takes places 4, 6 and 8 of its selection, which are these landmarks.
    let (wrist, index, middle, ring) = (points[0], points[5], points[9], points[13])
    let x = ((index.x + ring.x) / 2 + middle.x) / 2 * Float(columns) - wrist.x * Float(columns)
    let y = ((index.y + ring.y) / 2 + middle.y) / 2 * Float(rows) - wrist.y * Float(rows)
    let rotation = RotationVector.rotation(x: x, y: y, targetAngle: .pi / 2)
    let selection = Self.handPoints.map { pixels[$0] }
    guard let upright = selection.edges else { return nil }
    let origin = (x: (upright.left + upright.right) / 2, y: (upright.top + upright.bottom) / 2)
    let (cosine, sine) = (cos(rotation), sin(rotation))
    let turned = Edges(
      around: selection.lazy.map { point in
        let (x, y) = (point.x - origin.x, point.y - origin.y)
        return (x: x * cosine + y * sine, y: y * cosine - x * sine)
      })
    guard let turned else { return nil }
    let (x0, y0) = ((turned.left + turned.right) / 2, (turned.top + turned.bottom) / 2)
    self = RotatedRect(
      centerX: x0 * cosine - y0 * sine + origin.x, centerY: x0 * sine + y0 * cosine + origin.y,
      width: turned.width, height: turned.height, rotation: rotation
    ).normalized(columns: columns, rows: rows)
  }

  /// The square around the middle of a hand's first joints, the fingers up, whose half side is the
  /// distance to the wrist.
  ///
  /// The middle finger's joint is a third of the way from that of the index finger to that of the
  /// little one: MediaPipe's `hand_detections_from_pose_to_rects_calculator`.
  ///
  /// - Parameters:
  ///   - wrist: the wrist of a body, as a fraction of the image.
  ///   - littleFinger: the first joint of the little finger.
  ///   - indexFinger: the first joint of the index finger.
  ///   - columns: the image's columns.
  ///   - rows: the image's rows.
  public init(
    wrist: Landmark, littleFinger: Landmark, indexFinger: Landmark, columns: Int, rows: Int
  ) {
    let points = [wrist, littleFinger, indexFinger].inPixels(columns: columns, rows: rows)
    let middle = (
      x: (2 * points[2].x + points[1].x) / 3, y: (2 * points[2].y + points[1].y) / 3
    )
    let (x, y) = (middle.x - points[0].x, middle.y - points[0].y)
    let side = (x * x + y * y).squareRoot() * 2
    self = RotatedRect(
      centerX: middle.x, centerY: middle.y, width: side, height: side,
      rotation: RotationVector.rotation(x: x, y: y, targetAngle: .pi / 2)
    ).normalized(columns: columns, rows: rows)
  }
}
