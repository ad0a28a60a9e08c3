// SPDX-License-Identifier: Apache-2.0

/// The values of the 8-bit logarithmic samples of ITU-T Recommendation G.711.
///
/// A byte holds a sign, the number of a segment (3 bits) and a step within it (4 bits). The step of
/// each segment is twice that of the one below; the value is the middle of the step. Values are
/// scaled as the 16-bit integers of G.711's tables: A-law has 13 bits and mu-law 14, of 16.
enum CompandedSample {
  /// What each byte of A-law stands for.
  static let aLaw: [Float] = (0...255).map { byte in
    // Even bits are stored inverted; a set sign means a positive value.
    let bits = byte ^ 0x55
    let segment = bits >> 4 & 7
    let step = bits & 0xF
    // Segments 0 and 1 have the same step, 16.
    let size = segment == 0 ? step * 16 + 8 : (step * 16 + 0x108) << (segment - 1)
    return Float(bits & 0x80 != 0 ? size : -size) / 32768
  }

  /// What each byte of mu-law stands for.
  static let muLaw: [Float] = (0...255).map { byte in
    // All bits are stored inverted; a set sign means a negative value.
    let bits = ~byte
    let segment = bits >> 4 & 7
    let step = bits & 0xF
    let size = (step * 8 + 0x84) << segment - 0x84
    return Float(bits & 0x80 != 0 ? -size : size) / 32768
  }
}
