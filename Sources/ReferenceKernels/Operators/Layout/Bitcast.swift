// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let bitcast = CatalogEntry(
    .bitcast, chapter: .layout, formula: nil, versions: .upTo(1),
    variants: """
      f32_to_i32 i32_to_f32 f32_to_u32 i64_to_i32 i32_to_i64 u8_to_i8 i8_to_u8 i16_to_i8 \
      i8_to_i16 f32_to_u8 u8_to_f32 i32_to_i16 f32_to_f32 f16_to_u16 i64_to_f32 u32_to_i32
      """,
    optimized: "",
    work: .nothing, reads: .everything
  ) { _ throws(KernelError) in Bitcast() }
}

/// `BITCAST`: the same bytes as elements of another type, the one declared for the output.
///
/// Where the new elements are narrower, an innermost axis is added; where they are wider, the
/// innermost axis, of as many elements as make one, is removed. TFLite: `bitcast.cc`.
struct Bitcast: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    let from = try size(of: input.elementType, .input(0))
    let to = try size(of: output.elementType, .output(0))
    var dimensions = input.shape.dimensions
    if from > to { dimensions.append(from / to) }
    if from < to {
      guard dimensions.last == to / from else {
        throw .invalid("\(input.shape) elements of \(from) bytes make none of \(to)", .input(0))
      }
      dimensions.removeLast()
    }
    return .sameBytes(
      TensorType(
        output.elementType, try Shape.checked(dimensions), quantization: output.quantization))
  }

  private func size(
    of type: ElementType, _ tensor: KernelError.Tensor
  ) throws(KernelError) -> Int {
    guard let bits = type.bitCount, bits >= 8 else { throw .elementType(type, tensor) }
    return bits / 8
  }
}
