// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The loop of `CAST`, in blocks: elements become values of their carrier, and these elements of
/// the output.
package struct CastLoop<Source: CastElement>: SteppedLoop {
  package static var family: LoopFamily? { LoopFamily(.cast, Source.elementType) }

  /// What the carriers become.
  let results: CastResults<Source.Carrier>

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Source.self)
    var block: [Source.Carrier] = []
    block.reserveCapacity(min(input.count, CastResults<Source.Carrier>.blockLength))
    var start = 0
    while start < input.count {
      block.removeAll(keepingCapacity: true)
      for index in start..<min(start + CastResults<Source.Carrier>.blockLength, input.count) {
        steps.about(index)
        block.append(steps.read(input, index).carrier)
      }
      results.write(block.span, start, frame)
      start += block.count
    }
  }
}

/// The elements of one type that values of a carrier become.
///
/// With the carrier between them, there are as many loops as types, and not as pairs of types.
struct CastResults<Carrier: CastCarrier>: Sendable {
  /// How many values are converted at once.
  static var blockLength: Int { 512 }

  /// Writes what the values become to output 0, from an index on.
  let write: @Sendable (Span<Carrier>, Int, borrowing TensorFrame) -> Void

  /// Elements of `type`.
  ///
  /// - Throws: `KernelError` where `CAST` has no such elements.
  init(of type: ElementType) throws(KernelError) {
    switch type {
    case .float32: self.init(Float.self)
    case .float16: self.init(Float16.self)
    case .bfloat16: self.init(BFloat16.self)
    case .float64: self.init(Double.self)
    case .int8: self.init(Int8.self)
    case .uint8: self.init(UInt8.self)
    case .int16: self.init(Int16.self)
    case .uint16: self.init(UInt16.self)
    case .int32: self.init(Int32.self)
    case .uint32: self.init(UInt32.self)
    case .int64: self.init(Int64.self)
    case .bool: self.init(BoolByte.self)
    case .complex64: self.init(Complex<Float>.self)
    case let other: throw .elementType(other, .output(0))
    }
  }

  private init<Target: CastElement>(_ type: Target.Type) {
    write = { values, start, frame in
      var output = frame.output(0, as: Target.self)
      for index in values.indices { output[start + index] = values[index].cast() }
    }
  }
}
