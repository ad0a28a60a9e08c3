// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Samples of a sound as 32-bit floats.
@safe public final class MPPFloatBuffer: NSObject, NSCopying {
  /// The number of samples.
  public let length: UInt
  /// The samples, which are good as long as the buffer is.
  public let data: UnsafeMutablePointer<Float>

  /// A copy of samples; nil for silence.
  public init(data: UnsafePointer<Float>?, length: UInt) {
    let count = Int(clamping: length)
    self.length = length
    unsafe self.data = .allocate(capacity: count)
    if let data = unsafe data {
      unsafe self.data.initialize(from: data, count: count)
    } else {
      unsafe self.data.initialize(repeating: 0, count: count)
    }
  }

  /// Silence.
  public convenience init(length: UInt) { unsafe self.init(data: nil, length: length) }

  /// A copy of samples (an addition).
  public convenience init(_ samples: [Float]) {
    self.init(length: UInt(samples.count))
    for (index, sample) in samples.enumerated() { unsafe data[index] = sample }
  }

  /// The samples (an addition).
  public var samples: [Float] {
    unsafe Array(UnsafeBufferPointer(start: data, count: Int(length)))
  }

  /// Replaces all samples by silence.
  public func clear() { unsafe data.update(repeating: 0, count: Int(length)) }

  /// A buffer with a copy of the samples.
  public func copy(with zone: NSZone? = nil) -> Any { MPPFloatBuffer(samples) }

  deinit { unsafe data.deallocate() }
}
