// SPDX-License-Identifier: Apache-2.0

/// MoveNet's outputs as people.
///
/// Both forms write locations as fractions of the input, y before x.
public enum MoveNetDecoder {
  /// Numbers of a person in a single-pose output: y, x and score of each key point.
  public static let singlePoseLength = 51
  /// Numbers of a person in a multi-pose output: the key points, then the box as top, left, bottom
  /// and right, and the person's score.
  public static let multiPoseLength = 56

  /// The person of a single-pose model, Lightning or Thunder.
  ///
  /// - Parameter values: `[1, 1, 17, 3]`.
  /// - Returns: the person; the score is the mean of those of the key points.
  /// - Throws: `LandmarkError.valueCount` for another number of values.
  public static func singlePose(_ values: [Float]) throws(LandmarkError) -> Pose {
    guard values.count == singlePoseLength else {
      throw .valueCount(values.count, wanted: singlePoseLength, of: "a single pose")
    }
    let points = keyPoints(values[...])
    return Pose(
      keyPoints: points, score: points.reduce(0) { $0 + $1.score } / Float(points.count))
  }

  /// The people of a multi-pose model.
  ///
  /// - Parameters:
  ///   - values: `[1, people, 56]`, six people in the published models.
  ///   - scoreThreshold: people with a lower score are dropped.
  /// - Returns: the people by falling scores.
  /// - Throws: `LandmarkError.valueCount` where the values are not 56 for each person.
  public static func poses(
    _ values: [Float], scoreThreshold: Float
  ) throws(LandmarkError) -> [Pose] {
    let count = values.count / multiPoseLength
    guard values.count == count * multiPoseLength else {
      throw .valueCount(values.count, wanted: count * multiPoseLength, of: "poses")
    }
    var poses: [Pose] = []
    for start in stride(from: 0, to: values.count, by: multiPoseLength) {
      let row = values[start..<start + multiPoseLength].map(\.self)
      guard row[55] >= scoreThreshold else { continue }
      let box = KeyPointDetection(
        left: row[52], top: row[51], width: row[54] - row[52], height: row[53] - row[51],
        score: row[55])
      poses.append(Pose(keyPoints: keyPoints(row[...]), score: row[55], box: box))
    }
    return poses.sortedByScore()
  }

  private static func keyPoints(_ row: ArraySlice<Float>) -> [Pose.KeyPoint] {
    BodyPart.allCases.map { part in
      let start = row.startIndex + 3 * part.rawValue
      return Pose.KeyPoint(x: row[start + 1], y: row[start], score: row[start + 2])
    }
  }
}
