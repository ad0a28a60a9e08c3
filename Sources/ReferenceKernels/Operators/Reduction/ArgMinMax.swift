// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let argMax = CatalogEntry(
    .argMax, chapter: .reduction, formula: "y = the first index of the greatest x",
    versions: .upTo(3, reference: 2),
    variants: "f32 i8 u8 i32 bool", optimized: "f32 i8 u8 bool",
    work: .eachInput, reads: .everything
  ) { node throws(KernelError) in
    ArgMinMax(isMaximum: true, outputType: try node.options(ArgMaxOptions.self).outputType)
  }

  static let argMin = CatalogEntry(
    .argMin, chapter: .reduction, formula: "y = the first index of the least x",
    versions: .upTo(3, reference: 2),
    variants: "f32 i8 u8 i32 bool", optimized: "f32 i8 u8 bool",
    work: .eachInput, reads: .everything
  ) { node throws(KernelError) in
    ArgMinMax(isMaximum: false, outputType: try node.options(ArgMinOptions.self).outputType)
  }
}

/// `ARG_MAX` and `ARG_MIN`: where along an axis the largest or smallest element is.
///
/// - Input 0: the elements; quantized ones are compared by their quantized values.
/// - Input 1: the axis, one int32 or int64; it disappears.
///
/// The first of equal elements wins. NaN never wins against a number, and loses to the next one.
/// TFLite: `arg_min_max.cc`, `reference/arg_min_max.h`.
struct ArgMinMax: Operator {
  let isMaximum: Bool
  let outputType: ElementType

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (input, position) = (try node.input(0), try node.input(1))
    guard position.shape.elementCount == 1 else {
      throw .invalid("\(position.shape.elementCount) axes, wanted 1", .input(1))
    }
    let axis = try input.shape.axis(try node.integer(1), .input(1))
    guard input.shape[axis] > 0 else {
      throw .invalid("axis \(axis) of \(input.shape) has no elements", .input(0))
    }
    var dimensions = input.shape.dimensions
    dimensions.remove(at: axis)
    let loops = AxisLoops(input.shape, axis: axis)
    let output = TensorType(
      outputType, try Shape.checked(dimensions),
      quantization: try node.declaredOutput().quantization)
    switch outputType {
    case .int32: return Prepared(output, try kernel(input.elementType, loops, as: Int32.self))
    case .int64: return Prepared(output, try kernel(input.elementType, loops, as: Int64.self))
    case let other: throw .elementType(other, .output(0))
    }
  }

  private func kernel<Index: TensorElement & FixedWidthInteger>(
    _ type: ElementType, _ loops: AxisLoops, as index: Index.Type
  ) throws(KernelError) -> any Kernel {
    switch type {
    case .float32: ArgMinMaxKernel<Float, Index>(loops, isMaximum: isMaximum)
    case .uint8, .bool: ArgMinMaxKernel<UInt8, Index>(loops, isMaximum: isMaximum)
    case .int8: ArgMinMaxKernel<Int8, Index>(loops, isMaximum: isMaximum)
    case .int32: ArgMinMaxKernel<Int32, Index>(loops, isMaximum: isMaximum)
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// The loops around one axis of a tensor: outside, along and inside of it.
package struct AxisLoops: Sendable, Hashable {
  /// The product of the lengths outside of the axis.
  package let outerCount: Int
  /// The length of the axis.
  package let length: Int
  /// The product of the lengths inside of the axis: the distance of neighbors along it.
  package let innerCount: Int

  init(_ shape: Shape, axis: Int) {
    outerCount = shape.dimensions[..<axis].reduce(1, *)
    length = shape[axis]
    innerCount = shape.dimensions[(axis + 1)...].reduce(1, *)
  }
}

/// The loop of `ARG_MAX` and `ARG_MIN`.
package struct ArgMinMaxLoop<Element, Index>: SteppedLoop
where Element: TensorElement & Comparable, Index: TensorElement & FixedWidthInteger {
  package static var family: LoopFamily? { LoopFamily(.search, Element.elementType) }

  /// The loops around the axis.
  package let loops: AxisLoops
  /// Whether the largest element is sought.
  package let isMaximum: Bool

  /// The search along the axis of `loops`.
  package init(_ loops: AxisLoops, isMaximum: Bool) {
    self.loops = loops
    self.isMaximum = isMaximum
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Element.self)
    var output = frame.output(0, as: Index.self)
    guard !output.isEmpty else { return }
    for outer in 0..<loops.outerCount {
      for inner in 0..<loops.innerCount {
        let target = outer * loops.innerCount + inner
        steps.about(target)
        let start = outer * loops.length * loops.innerCount + inner
        var (best, bestIndex) = (steps.read(input, start), 0)
        for index in 1..<loops.length {
          let candidate = steps.read(input, start + index * loops.innerCount)
          let isBetter = isMaximum ? candidate > best : candidate < best
          // A number that is not equal to itself is NaN.
          if isBetter || (best != best && candidate == candidate) {
            (best, bestIndex) = (candidate, index)
          }
        }
        steps.note(
          isMaximum ? "maximum" : "minimum",
          "of \(loops.length) elements; the first of equal ones counts", element: best)
        output[target] = steps.note(
          "index", "of that element along the axis", Index(truncatingIfNeeded: bestIndex))
      }
    }
  }
}

/// The kernel of `ArgMinMaxLoop`.
package typealias ArgMinMaxKernel<Element, Index> = LoopKernel<ArgMinMaxLoop<Element, Index>>
where Element: TensorElement & Comparable, Index: TensorElement & FixedWidthInteger

extension LoopKernel {
  /// The search along the axis of `loops`.
  package convenience init<Element, Index>(_ loops: AxisLoops, isMaximum: Bool)
  where
    Loop == ArgMinMaxLoop<Element, Index>, Element: TensorElement & Comparable,
    Index: TensorElement & FixedWidthInteger
  {
    self.init(ArgMinMaxLoop(loops, isMaximum: isMaximum))
  }
}
