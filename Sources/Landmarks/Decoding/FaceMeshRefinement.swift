// SPDX-License-Identifier: Apache-2.0

/// What the parts of a face mesh with attention say better than the whole: lips, eyes and irises.
///
/// Such a model gives the 468 points of the mesh, and again, more exactly, the columns and rows of
/// the points around the lips and the eyes; and five points of each iris, which the mesh has not.
/// MediaPipe: `tensors_to_face_landmarks_with_attention.pbtxt`, `landmarks_refinement_calculator`.
public enum FaceMeshRefinement: Sendable, CaseIterable {
  /// The lips: 80 points.
  case lips
  /// The surroundings of the left eye of the image: 71 points.
  case leftEye
  /// The surroundings of the right eye of the image: 71 points.
  case rightEye
  /// The iris of the left eye of the image: its center and four points of its edge.
  case leftIris
  /// The iris of the right eye of the image: its center and four points of its edge.
  case rightIris

  /// Points of the mesh without irises.
  public static let meshCount = 468
  /// Points of the mesh with irises.
  public static let refinedCount = 478

  /// The numbers in the refined mesh of the part's points.
  public var points: [Int] {
    switch self {
    case .lips: Self.lipPoints
    case .leftEye: Self.leftEyePoints
    case .rightEye: Self.rightEyePoints
    case .leftIris: Array(Self.meshCount..<Self.meshCount + 5)
    case .rightIris: Array(Self.meshCount + 5..<Self.refinedCount)
    }
  }

  /// The points whose mean depth an iris has; empty for other parts, which keep the mesh's depths.
  private var depthPoints: ArraySlice<Int> {
    switch self {
    case .lips, .leftEye, .rightEye: []
    case .leftIris: Self.leftEyePoints.prefix(Self.eyelidCount)
    case .rightIris: Self.rightEyePoints.prefix(Self.eyelidCount)
    }
  }

  /// A mesh with its refined parts.
  ///
  /// - Parameters:
  ///   - mesh: 468 points.
  ///   - parts: the points of each part, as many as it has.
  /// - Returns: 478 points.
  /// - Throws: `LandmarkError` for other numbers of points, or a part that is missing.
  public static func applied(
    to mesh: [Landmark], _ parts: [FaceMeshRefinement: [Landmark]]
  ) throws(LandmarkError) -> [Landmark] {
    guard mesh.count == meshCount else {
      throw .valueCount(mesh.count, wanted: meshCount, of: "a mesh")
    }
    let irises = Array(repeating: Landmark(x: 0, y: 0), count: refinedCount - meshCount)
    var refined = mesh + irises
    for part in allCases {
      let (targets, points) = (part.points, parts[part] ?? [])
      guard points.count == targets.count else {
        throw .valueCount(points.count, wanted: targets.count, of: "\(part)")
      }
      for (target, point) in zip(targets, points) {
        (refined[target].x, refined[target].y) = (point.x, point.y)
      }
      guard !part.depthPoints.isEmpty else { continue }
      let sum = part.depthPoints.reduce(0) { $0 + Double(refined[$1].z) }
      let mean = Float(sum / Double(part.depthPoints.count))
      for target in targets { refined[target].z = mean }
    }
    return refined
  }

  /// The first of an eye's points are those of the eyelids.
  private static let eyelidCount = 16

  private static let lipPoints = [
    // Outer edge: below, then above without the corners.
    61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 185, 40, 39, 37, 0, 267, 269, 270, 409,
    // Inner edge.
    78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308, 191, 80, 81, 82, 13, 312, 311, 310, 415,
    // Next to the outer edge.
    76, 77, 90, 180, 85, 16, 315, 404, 320, 307, 306, 184, 74, 73, 72, 11, 302, 303, 304, 408,
    // Next to the inner edge.
    62, 96, 89, 179, 86, 15, 316, 403, 319, 325, 292, 183, 42, 41, 38, 12, 268, 271, 272, 407,
  ]

  // Rings around the eye from the eyelids to the eyebrow: below, then above without the corners.
  private static let leftEyePoints = [
    33, 7, 163, 144, 145, 153, 154, 155, 133, 246, 161, 160, 159, 158, 157, 173,
    130, 25, 110, 24, 23, 22, 26, 112, 243, 247, 30, 29, 27, 28, 56, 190,
    226, 31, 228, 229, 230, 231, 232, 233, 244, 113, 225, 224, 223, 222, 221, 189,
    35, 124, 46, 53, 52, 65,
    143, 111, 117, 118, 119, 120, 121, 128, 245, 156, 70, 63, 105, 66, 107, 55, 193,
  ]

  private static let rightEyePoints = [
    263, 249, 390, 373, 374, 380, 381, 382, 362, 466, 388, 387, 386, 385, 384, 398,
    359, 255, 339, 254, 253, 252, 256, 341, 463, 467, 260, 259, 257, 258, 286, 414,
    446, 261, 448, 449, 450, 451, 452, 453, 464, 342, 445, 444, 443, 442, 441, 413,
    265, 353, 276, 283, 282, 295,
    372, 340, 346, 347, 348, 349, 350, 357, 465, 383, 300, 293, 334, 296, 336, 285, 417,
  ]
}
