// SPDX-License-Identifier: Apache-2.0

import Foundation
import Imaging
import Landmarks
import MediaPipeTasksCommon

extension MediaPipeTasksCommon.NormalizedLandmark {
  /// A point as a share of an image.
  private convenience init(_ point: Landmarks.Landmark) {
    self.init(
      x: point.x, y: point.y, z: point.z,
      visibility: point.visibility.map { NSNumber(value: $0) },
      presence: point.presence.map { NSNumber(value: $0) })
  }

  /// Points in pixels of an image as shares of it.
  static func landmarks(
    _ points: [Landmarks.Landmark], in input: VisionInput
  ) -> [MediaPipeTasksCommon.NormalizedLandmark] {
    points.normalized(columns: input.pixels.width, rows: input.pixels.height)
      .map { MediaPipeTasksCommon.NormalizedLandmark($0) }
  }
}

extension MediaPipeTasksCommon.Landmark {
  /// A point in meters.
  convenience init(_ point: Landmarks.Landmark) {
    self.init(
      x: point.x, y: point.y, z: point.z,
      visibility: point.visibility.map { NSNumber(value: $0) },
      presence: point.presence.map { NSNumber(value: $0) })
  }
}

extension MediaPipeTasksCommon.Connection {
  /// Lines between landmarks.
  static func connections(
    _ lines: [Skeleton.Connection]
  ) -> [MediaPipeTasksCommon.Connection] {
    lines.map { MediaPipeTasksCommon.Connection(start: UInt($0.start), end: UInt($0.end)) }
  }
}
