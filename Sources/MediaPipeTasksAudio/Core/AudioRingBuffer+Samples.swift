// SPDX-License-Identifier: Apache-2.0

import AudioTasks
import Foundation
import MediaPipeTasksCommon

extension AudioRingBuffer? {
  /// All samples, the oldest first; none of a buffer without room.
  var samples: [Float] { self?.contents ?? [] }

  /// Takes samples instead of the oldest ones.
  mutating func take(_ samples: some RandomAccessCollection<Float>) {
    // In a buffer of one channel, no sample ends within a frame, which is the only error.
    try? self?.load(samples)
  }
}

extension [Float] {
  /// A part of the samples.
  ///
  /// - Throws: `NSError` where it reaches beyond their end.
  func part(_ offset: UInt, _ length: UInt, of name: String) throws(NSError) -> ArraySlice<Float> {
    let (end, overflows) = offset.addingReportingOverflow(length)
    guard !overflows, end <= UInt(count) else {
      throw TasksErrorCode.invalidArgumentError.error(
        "Index out of range. `offset` (\(offset)) + `length` (\(length)) must be <= `\(name)` (\(count))"
      )
    }
    return self[Int(offset)..<Int(end)]
  }
}
