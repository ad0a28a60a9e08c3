// SPDX-License-Identifier: Apache-2.0

import Landmarks
public import MediaPipeTasksCommon

/// Lines between landmarks, for drawings.
extension HandLandmarker {
  /// The lines of the palm.
  public class var handPalmConnections: [MediaPipeTasksCommon.Connection] { lines(0..<6) }

  /// The lines of the thumb.
  public class var handThumbConnections: [MediaPipeTasksCommon.Connection] { lines(6..<9) }

  /// The lines of the index finger.
  public class var handIndexFingerConnections: [MediaPipeTasksCommon.Connection] { lines(9..<12) }

  /// The lines of the middle finger.
  public class var handMiddleFingerConnections: [MediaPipeTasksCommon.Connection] {
    lines(12..<15)
  }

  /// The lines of the ring finger.
  public class var handRingFingerConnections: [MediaPipeTasksCommon.Connection] { lines(15..<18) }

  /// The lines of the little finger.
  public class var handPinkyConnections: [MediaPipeTasksCommon.Connection] { lines(18..<21) }

  /// All lines of a hand.
  public class var handConnections: [MediaPipeTasksCommon.Connection] { lines(0..<21) }

  /// Some lines of `Skeleton.hand`, which has those of the palm first, then those of the fingers.
  private class func lines(_ range: Range<Int>) -> [MediaPipeTasksCommon.Connection] {
    MediaPipeTasksCommon.Connection.connections(Array(Skeleton.hand[range]))
  }
}
