// SPDX-License-Identifier: Apache-2.0

/// The points of a hand, in the order of the model.
public enum HandLandmark: UInt, Sendable, CaseIterable {
  /// The wrist.
  case wrist
  /// The carpometacarpal joint of the thumb.
  case thumbCMC
  /// The metacarpophalangeal joint of the thumb.
  case thumbMCP
  /// The joint of the thumb.
  case thumbIP
  /// The tip of the thumb.
  case thumbTIP
  /// The metacarpophalangeal joint of the index finger.
  case indexFingerMCP
  /// The proximal joint of the index finger.
  case indexFingerPIP
  /// The distal joint of the index finger.
  case indexFingerDIP
  /// The tip of the index finger.
  case indexFingerTIP
  /// The metacarpophalangeal joint of the middle finger.
  case middleFingerMCP
  /// The proximal joint of the middle finger.
  case middleFingerPIP
  /// The distal joint of the middle finger.
  case middleFingerDIP
  /// The tip of the middle finger.
  case middleFingerTIP
  /// The metacarpophalangeal joint of the ring finger.
  case ringFingerMCP
  /// The proximal joint of the ring finger.
  case ringFingerPIP
  /// The distal joint of the ring finger.
  case ringFingerDIP
  /// The tip of the ring finger.
  case ringFingerTIP
  /// The metacarpophalangeal joint of the little finger.
  case pinkyMCP
  /// The proximal joint of the little finger.
  case pinkyPIP
  /// The distal joint of the little finger.
  case pinkyDIP
  /// The tip of the little finger.
  case pinkyTIP
}
