// SPDX-License-Identifier: Apache-2.0

/// The inverse discrete cosine transform of an 8 × 8 block.
///
/// Loeffler, Ligtenberg and Moschytz's factorisation with 12 multiplications ("Practical Fast 1-D
/// DCT Algorithms with 11 Multiplications", 1989) in integers: constants of 13 fractional bits,
/// and two more bits of precision kept between columns and rows. These are libjpeg's choices for
/// its accurate transform, so that samples come out the same. Arithmetic wraps around; no
/// coefficients of a real image are large enough for that.
enum InverseDCT {
  private static let constantBits: Int32 = 13
  private static let columnBits: Int32 = 2

  /// Writes the block's samples, 0 to 255, row by row.
  ///
  /// - Parameters:
  ///   - block: 64 quantized coefficients.
  ///   - steps: What to multiply them by.
  ///   - samples: A plane of samples.
  ///   - start: The location of the block's first sample in the plane.
  ///   - stride: Samples in a row of the plane.
  @_lifetime(samples: copy samples)
  @inline(__always)
  static func write(
    _ block: Span<Int16>, steps: Span<Int32>,
    to samples: inout MutableSpan<UInt8>, at start: Int, stride: Int
  ) {
    var columns = InlineArray<64, Int32>(repeating: 0)
    var isFlat = true
    for column in 0..<8 {
      let first = Int32(block[column]) &* steps[column]
      let others =
        block[column + 8] | block[column + 16] | block[column + 24] | block[column + 32]
        | block[column + 40] | block[column + 48] | block[column + 56]
      if others == 0 {
        let value = first &<< columnBits
        for row in 0..<8 { columns[8 &* row &+ column] = value }
        isFlat = isFlat && (column == 0 || first == 0)
        continue
      }
      isFlat = false
      let line = Line(
        first, Int32(block[column + 8]) &* steps[column + 8],
        Int32(block[column + 16]) &* steps[column + 16],
        Int32(block[column + 24]) &* steps[column + 24],
        Int32(block[column + 32]) &* steps[column + 32],
        Int32(block[column + 40]) &* steps[column + 40],
        Int32(block[column + 48]) &* steps[column + 48],
        Int32(block[column + 56]) &* steps[column + 56])
      let half: Int32 = 1 << (constantBits - columnBits - 1)
      for row in 0..<8 {
        columns[8 &* row &+ column] = (line[row] &+ half) &>> (constantBits - columnBits)
      }
    }
    if isFlat {
      fill(columns[0], &samples, at: start, stride: stride)
      return
    }
    writeRows(&columns, to: &samples, at: start, stride: stride)
  }

  /// The block of a lone first coefficient.
  @inline(__always)
  private static func fill(
    _ value: Int32, _ samples: inout MutableSpan<UInt8>, at start: Int, stride: Int
  ) {
    let sample = sample(of: value, bits: columnBits + 3)
    for row in 0..<8 {
      var line = samples._mutatingExtracting(start &+ row &* stride..<start &+ row &* stride &+ 8)
      for column in 0..<8 { line[column] = sample }
    }
  }

  @inline(__always)
  private static func writeRows(
    _ columns: inout InlineArray<64, Int32>, to samples: inout MutableSpan<UInt8>,
    at start: Int, stride: Int
  ) {
    for row in 0..<8 {
      let line = Line(
        columns[8 * row], columns[8 * row + 1], columns[8 * row + 2], columns[8 * row + 3],
        columns[8 * row + 4], columns[8 * row + 5], columns[8 * row + 6], columns[8 * row + 7])
      let location = start &+ row &* stride
      var target = samples._mutatingExtracting(location..<location &+ 8)
      for column in 0..<8 {
        target[column] = sample(of: line[column], bits: constantBits + columnBits + 3)
      }
    }
  }

  /// A sample from a value with fractional bits, of which three are the transform's factor of 8.
  @inline(__always)
  private static func sample(of value: Int32, bits: Int32) -> UInt8 {
    let rounded = (value &+ 1 &<< (bits &- 1)) &>> bits
    return UInt8(truncatingIfNeeded: max(0, min(255, rounded &+ 128)))
  }

  /// Eight values transformed along a line, with 13 more fractional bits.
  private typealias Line = InlineArray<8, Int32>
}

extension InlineArray where Element == Int32, count == 8 {
  /// The transform of eight values.
  @inline(__always)
  fileprivate init(
    _ in0: Int32, _ in1: Int32, _ in2: Int32, _ in3: Int32, _ in4: Int32, _ in5: Int32,
    _ in6: Int32, _ in7: Int32
  ) {
    // Constants are the published ones × 2¹³.
    let rotated = (in2 &+ in6) &* 4433  // 0.541196100
    let even2 = rotated &- in6 &* 15137  // 1.847759065
    let even3 = rotated &+ in2 &* 6270  // 0.765366865
    let even0 = (in0 &+ in4) &<< 13
    let even1 = (in0 &- in4) &<< 13
    let sum0 = even0 &+ even3
    let sum3 = even0 &- even3
    let sum1 = even1 &+ even2
    let sum2 = even1 &- even2

    let common = (in7 &+ in3 &+ in5 &+ in1) &* 9633  // 1.175875602
    let outer = (in7 &+ in1) &* -7373  // 0.899976223
    let inner = (in5 &+ in3) &* -20995  // 2.562915447
    let left = (in7 &+ in3) &* -16069 &+ common  // 1.961570560
    let right = (in5 &+ in1) &* -3196 &+ common  // 0.390180644
    let odd0 = in7 &* 2446 &+ outer &+ left  // 0.298631336
    let odd1 = in5 &* 16819 &+ inner &+ right  // 2.053119869
    let odd2 = in3 &* 25172 &+ inner &+ left  // 3.072711026
    let odd3 = in1 &* 12299 &+ outer &+ right  // 1.501321110

    self = [
      sum0 &+ odd3, sum1 &+ odd2, sum2 &+ odd1, sum3 &+ odd0,
      sum3 &- odd0, sum2 &- odd1, sum1 &- odd2, sum0 &- odd3,
    ]
  }
}
