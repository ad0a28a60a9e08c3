// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors
import Testing

@Suite struct HybridQuantizationTests {
  static func codes(_ form: HybridQuantization, _ values: [Float]) -> (codes: [Int8], Affine) {
    let bytes = TensorBytes(zeroed: values.count)
    var codes = bytes.mutableSpan(as: Int8.self)
    let meaning = form.quantize(values.span, into: &codes)
    let span = bytes.span(as: Int8.self)
    return (span.indices.map { span[$0] }, meaning)
  }

  /// The scale is 1 and the zero point −28: −2.5 steps become −3, then −31; were the zero point
  /// added first, −30.5 would become −31 as well, but 2.5 steps −25.5 and −26, not −25.
  @Test func `steps are rounded before the zero point is added`() {
    let (codes, meaning) = Self.codes(.asymmetric, [-100, 155, 2.5, -2.5])
    #expect(meaning == Affine(scale: 1, zeroPoint: -28))
    #expect(codes == [-128, 127, -25, -31])
  }

  /// The float before a half, plus a half, is 1 in float32; a rest of less than eight values is
  /// rounded properly.
  @Test func `blocks of eight round the number before a half up`() {
    let before = Float(0.5).nextDown
    #expect(
      Self.codes(.symmetric, [127, before, -before, 0, 0, 0, 0]).codes.prefix(3) == [127, 0, 0])
    #expect(
      Self.codes(.symmetric, [127, before, -before, 0, 0, 0, 0, 0]).codes.prefix(3)
        == [127, 1, -1])
  }
}
