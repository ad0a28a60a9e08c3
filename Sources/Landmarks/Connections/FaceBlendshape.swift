// SPDX-License-Identifier: Apache-2.0

/// The 52 movements of a face that MediaPipe's blend shape model rates, and what it reads.
public enum FaceBlendshape {
  /// The movements in the order of the model's output; the first one is the face at rest.
  public static let names = [
    "_neutral", "browDownLeft", "browDownRight", "browInnerUp", "browOuterUpLeft",
    "browOuterUpRight", "cheekPuff", "cheekSquintLeft", "cheekSquintRight", "eyeBlinkLeft",
    "eyeBlinkRight", "eyeLookDownLeft", "eyeLookDownRight", "eyeLookInLeft", "eyeLookInRight",
    "eyeLookOutLeft", "eyeLookOutRight", "eyeLookUpLeft", "eyeLookUpRight", "eyeSquintLeft",
    "eyeSquintRight", "eyeWideLeft", "eyeWideRight", "jawForward", "jawLeft", "jawOpen",
    "jawRight", "mouthClose", "mouthDimpleLeft", "mouthDimpleRight", "mouthFrownLeft",
    "mouthFrownRight", "mouthFunnel", "mouthLeft", "mouthLowerDownLeft", "mouthLowerDownRight",
    "mouthPressLeft", "mouthPressRight", "mouthPucker", "mouthRight", "mouthRollLower",
    "mouthRollUpper", "mouthShrugLower", "mouthShrugUpper", "mouthSmileLeft", "mouthSmileRight",
    "mouthStretchLeft", "mouthStretchRight", "mouthUpperUpLeft", "mouthUpperUpRight",
    "noseSneerLeft", "noseSneerRight",
  ]

  /// The landmarks of a face mesh with 478 points in the order of the model's input.
  public static let landmarkIndices = [
    0, 1, 4, 5, 6, 7, 8, 10, 13, 14, 17, 21, 33, 37, 39, 40, 46, 52, 53, 54, 55, 58, 61, 63, 65,
    66, 67, 70, 78, 80, 81, 82, 84, 87, 88, 91, 93, 95, 103, 105, 107, 109, 127, 132, 133, 136,
    144, 145, 146, 148, 149, 150, 152, 153, 154, 155, 157, 158, 159, 160, 161, 162, 163, 168, 172,
    173, 176, 178, 181, 185, 191, 195, 197, 234, 246, 249, 251, 263, 267, 269, 270, 276, 282, 283,
    284, 285, 288, 291, 293, 295, 296, 297, 300, 308, 310, 311, 312, 314, 317, 318, 321, 323, 324,
    332, 334, 336, 338, 356, 361, 362, 365, 373, 374, 375, 377, 378, 379, 380, 381, 382, 384, 385,
    386, 387, 388, 389, 390, 397, 398, 400, 402, 405, 409, 415, 454, 466, 468, 469, 470, 471, 472,
    473, 474, 475, 476, 477,
  ]

  /// The model's input: x and y of its landmarks, in pixels.
  ///
  /// - Parameters:
  ///   - landmarks: the 478 landmarks of a face mesh, as fractions of the image.
  ///   - columns: the image's columns.
  ///   - rows: the image's rows.
  /// - Returns: 292 numbers.
  /// - Throws: `LandmarkError.valueCount` for fewer landmarks.
  public static func input(
    _ landmarks: [Landmark], columns: Int, rows: Int
  ) throws(LandmarkError) -> [Float] {
    guard landmarks.count >= 478 else {
      throw .valueCount(landmarks.count, wanted: 478, of: "the landmarks of a face")
    }
    return landmarkIndices.flatMap { index in
      [landmarks[index].x * Float(columns), landmarks[index].y * Float(rows)]
    }
  }
}
