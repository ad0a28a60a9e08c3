// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Foundation

/// The path of the classifier of digits in one of its formats: `[1, 32, 32, 3]` → `[1, 10]`.
func digits(_ format: String) throws -> String {
  try BundledModels.path(of: "digits/digits_\(format).tflite")
}

/// The bytes of floats.
func bytes(_ values: [Float]) -> Data {
  unsafe values.withUnsafeBufferPointer { unsafe Data(buffer: $0) }
}

/// The bytes of floats that are all the same.
func floats(_ value: Float, count: Int) -> Data {
  bytes([Float](repeating: value, count: count))
}

/// The floats that `data` holds.
func values(of data: Data) -> [Float] {
  unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
}
