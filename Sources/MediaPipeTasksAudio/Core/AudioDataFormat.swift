// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// How many channels a sound has, and how many frames each second.
public final class AudioDataFormat: NSObject, @unchecked Sendable {
  /// The number of channels, whose samples alternate.
  public let channelCount: UInt
  /// Frames in a second.
  public let sampleRate: Double

  /// A format from its parts.
  public init(channelCount: UInt, sampleRate: Double) {
    self.channelCount = channelCount
    self.sampleRate = sampleRate
  }

  /// A format of one channel.
  public convenience init(sampleRate: Double) {
    self.init(channelCount: 1, sampleRate: sampleRate)
  }

  /// Whether another format has as many channels and the same rate.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AudioDataFormat else { return false }
    return channelCount == other.channelCount && sampleRate == other.sampleRate
  }

  /// The same for equal formats.
  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(channelCount)
    hasher.combine(sampleRate)
    return hasher.finalize()
  }
}
