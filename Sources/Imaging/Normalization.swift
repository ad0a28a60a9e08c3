// SPDX-License-Identifier: Apache-2.0

/// How a channel's byte becomes a number for a model: `(x - mean) / deviation`, in 32-bit floats.
public struct Normalization: Sendable, Hashable {
  /// One for all channels, or one per channel.
  public let mean: [Float]

  /// One for all channels, or one per channel.
  public let standardDeviation: [Float]

  /// Means and deviations, one of each for all channels or one per channel.
  ///
  /// - Parameters:
  ///   - mean: What is subtracted.
  ///   - standardDeviation: What is divided by.
  /// - Throws: `ImagingError` when there is none, when there are not as many of the one as of
  ///   the other, when one is not finite, or when a deviation is 0.
  public init(mean: [Float], standardDeviation: [Float]) throws(ImagingError) {
    guard !mean.isEmpty, mean.count == standardDeviation.count else {
      throw .normalizationCount(means: mean.count, deviations: standardDeviation.count)
    }
    for (mean, deviation) in zip(mean, standardDeviation) {
      guard mean.isFinite, deviation.isFinite, deviation != 0 else {
        throw .normalizationValue(mean: mean, deviation: deviation)
      }
    }
    self.mean = mean
    self.standardDeviation = standardDeviation
  }

  private init(_ mean: Float, _ standardDeviation: Float) {
    self.mean = [mean]
    self.standardDeviation = [standardDeviation]
  }

  /// The bytes as they are: 0 to 255.
  public static let none = Normalization(0, 1)

  /// Divided by 255: 0 to 1.
  public static let zeroToOne = Normalization(0, 255)

  /// Less 127.5, divided by 127.5: -1 to 1.
  public static let minusOneToOne = Normalization(127.5, 127.5)

  /// What all 256 bytes of each of so many channels become, channel after channel.
  @usableFromInline
  func table(channelCount: Int) throws(ImagingError) -> [Float] {
    guard mean.count == 1 || mean.count == channelCount else {
      throw .normalizationCount(means: mean.count, deviations: standardDeviation.count)
    }
    var values: [Float] = []
    for channel in 0..<channelCount {
      let index = mean.count == 1 ? 0 : channel
      for byte in 0..<256 {
        values.append(Self.value(of: Float(byte), mean[index], standardDeviation[index]))
      }
    }
    return values
  }

  /// What a byte becomes by a mean and a deviation.
  private static func value(of byte: Float, _ mean: Float, _ deviation: Float) -> Float {
    (byte - mean) / deviation
  }

  /// What black and white, 0 and 255, become by a mean and a deviation.
  package static func ends(
    mean: Float, deviation: Float
  ) -> (black: Float, white: Float) {
    (value(of: 0, mean, deviation), value(of: 255, mean, deviation))
  }
}

extension PixelBuffer {
  /// Writes the normalized channels of all pixels, row by row from the top.
  ///
  /// - Parameters:
  ///   - normalization: What to subtract and divide by.
  ///   - output: As many values as the image has bytes.
  /// - Throws: `ImagingError` when the numbers of values or of channels disagree.
  public func normalize(
    _ normalization: Normalization, into output: inout MutableSpan<Float>
  ) throws(ImagingError) {
    let table = try normalization.table(channelCount: format.channelCount)
    try look(up: table, into: &output)
  }

  /// The normalized channels of all pixels, row by row from the top.
  ///
  /// - Parameter normalization: What to subtract and divide by.
  /// - Returns: As many values as the image has bytes.
  /// - Throws: `ImagingError` when the normalization is for another number of channels.
  public func normalized(_ normalization: Normalization) throws(ImagingError) -> [Float] {
    var values = [Float](repeating: 0, count: bytes.count)
    var output = values.mutableSpan
    try normalize(normalization, into: &output)
    return values
  }

  /// Writes the channels of all pixels, normalized and quantized, row by row from the top.
  ///
  ///     q = round(((x - mean) / deviation) / scale) + zeroPoint
  ///
  /// with halves rounded away from zero and what the type cannot hold moved to its nearest value.
  ///
  /// - Parameters:
  ///   - normalization: What to subtract and divide by.
  ///   - scale: The distance of neighboring quantized values.
  ///   - zeroPoint: The quantized value of 0.
  ///   - output: As many values as the image has bytes.
  /// - Throws: `ImagingError` when numbers of values or channels disagree, or the scale is not a
  ///   finite number above 0.
  @inlinable
  public func quantize<Element: FixedWidthInteger & BitwiseCopyable>(
    _ normalization: Normalization, scale: Float, zeroPoint: Int,
    into output: inout MutableSpan<Element>
  ) throws(ImagingError) {
    guard scale.isFinite, scale > 0 else { throw .quantizationScale(scale) }
    // Doubles hold every 32-bit quantized value exactly; those beyond are moved to the type's
    // limits.
    let lowest = Double(Element.min)
    let highest = Double(Element.max)
    let table = try normalization.table(channelCount: format.channelCount).map { value in
      let quantized = Double((value / scale).rounded(.toNearestOrAwayFromZero)) + Double(zeroPoint)
      return quantized <= lowest
        ? Element.min : quantized >= highest ? Element.max : Element(quantized)
    }
    try look(up: table, into: &output)
  }

  /// The channels of all pixels, normalized and quantized, row by row from the top.
  ///
  /// - Parameters:
  ///   - type: The type of the quantized values.
  ///   - normalization: What to subtract and divide by.
  ///   - scale: The distance of neighboring quantized values.
  ///   - zeroPoint: The quantized value of 0.
  /// - Returns: As many values as the image has bytes.
  /// - Throws: `ImagingError` when the normalization is for another number of channels, or the
  ///   scale is not a finite number above 0.
  @inlinable
  public func quantized<Element: FixedWidthInteger & BitwiseCopyable>(
    as type: Element.Type, _ normalization: Normalization, scale: Float, zeroPoint: Int
  ) throws(ImagingError) -> [Element] {
    var values = [Element](repeating: 0, count: bytes.count)
    var output = values.mutableSpan
    try quantize(normalization, scale: scale, zeroPoint: zeroPoint, into: &output)
    return values
  }

  /// Replaces each byte by its value in a table of 256 entries per channel.
  ///
  /// Other modules compile it for their types of values: unspecialized, it is many times slower.
  @inlinable
  func look<Value: BitwiseCopyable>(
    up table: [Value], into output: inout MutableSpan<Value>
  ) throws(ImagingError) {
    guard output.count == bytes.count else {
      throw .valueCount(output.count, wanted: bytes.count)
    }
    let bytes = self.bytes.span
    let table = table.span
    for channel in 0..<format.channelCount {
      for index in stride(from: channel, to: bytes.count, by: format.channelCount) {
        output[index] = table[256 * channel + Int(bytes[index])]
      }
    }
  }
}
