// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let segmentSum = CatalogEntry(
    .segmentSum, chapter: .reduction, formula: "y[s, i…] = Σ x[j, i…] over all j with id[j] = s",
    versions: .upTo(1, reference: 0),
    variants: "f32 i32", optimized: "",
    work: .eachInput, reads: .everything
  ) { _ in SegmentSum() }

  static let unsortedSegmentMax = CatalogEntry(
    .unsortedSegmentMax, chapter: .reduction,
    formula: "y[s, i…] = max x[j…, i…] over all j… with id[j…] = s", versions: .upTo(1),
    variants: "f32 i32", optimized: "",
    work: .eachInput, reads: .everything
  ) { _ in UnsortedSegments(combination: .maximum) }

  static let unsortedSegmentMin = CatalogEntry(
    .unsortedSegmentMin, chapter: .reduction,
    formula: "y[s, i…] = min x[j…, i…] over all j… with id[j…] = s", versions: .upTo(1),
    variants: "f32 i32", optimized: "",
    work: .eachInput, reads: .everything
  ) { _ in UnsortedSegments(combination: .minimum) }

  static let unsortedSegmentProd = CatalogEntry(
    .unsortedSegmentProd, chapter: .reduction,
    formula: "y[s, i…] = Π x[j…, i…] over all j… with id[j…] = s", versions: .upTo(1),
    variants: "f32 i32", optimized: "",
    work: .eachInput, reads: .everything
  ) { _ in UnsortedSegments(combination: .product) }

  static let unsortedSegmentSum = CatalogEntry(
    .unsortedSegmentSum, chapter: .reduction,
    formula: "y[s, i…] = Σ x[j…, i…] over all j… with id[j…] = s", versions: .upTo(1),
    variants: "f32 i32", optimized: "",
    work: .eachInput, reads: .everything
  ) { _ in UnsortedSegments(combination: .sum) }
}

/// `SEGMENT_SUM`: the sums of neighboring slices that share a number.
///
/// - Input 0: the slices along the first axis.
/// - Input 1: the segment of each slice, int32: 0 at first, then the same or the next one each.
///   How many segments there are depends on the values, so they must be known.
///
/// Integers wrap. TFLite: `segment_sum.cc`.
struct SegmentSum: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (data, ids) = (try node.input(0), try node.input(1))
    guard data.shape.rank >= 1 else { throw .rank(0, wanted: "at least 1", .input(0)) }
    guard ids.shape.dimensions == [data.shape[0]] else {
      throw .invalid("shape \(ids.shape) for \(data.shape[0]) slices", .input(1))
    }
    var last: Int32 = -1
    for id in try node.values(1, as: Int32.self) {
      // The first may not stay at -1, which no segment has.
      guard id >= 0, id == last || id - 1 == last else {
        throw .invalid("segment \(id) after \(last)", .input(1))
      }
      last = id
    }
    let segments = Segments(
      count: Int(last) + 1, sliceLength: data.shape.dimensions.dropFirst().reduce(1, *))
    let output = data.moved(
      to: try Shape.checked([segments.count] + data.shape.dimensions.dropFirst()),
      declared: try node.declaredOutput())
    return Prepared(output, try segments.sum(data.elementType))
  }
}

/// `UNSORTED_SEGMENT_SUM`, `…_PROD`, `…_MAX` and `…_MIN`: slices that share a number, combined.
///
/// - Input 0: the slices.
/// - Input 1: the segment of each slice, int32; the shape is that of the leading axes. Slices of a
///   negative segment are left out.
/// - Input 2: how many segments there are, one int32.
///
/// Integers wrap. A segment without slices gives 0, 1, the least or the greatest finite number;
/// NaN is no extreme. TFLite: `unsorted_segment.cc`.
struct UnsortedSegments: Operator {
  /// How slices are combined.
  enum Combination: Sendable {
    case sum, product, maximum, minimum
  }

  let combination: Combination

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 3...3)
    let (data, ids, count) = (try node.input(0), try node.input(1), try node.input(2))
    try ids.expect(.int32, .input(1))
    try count.expect(.int32, .input(2))
    guard data.shape.dimensions.starts(with: ids.shape.dimensions) else {
      throw .invalid("shape \(ids.shape) for slices of \(data.shape)", .input(1))
    }
    guard count.shape.rank <= 1, count.shape.elementCount == 1 else {
      throw .invalid("shape \(count.shape), wanted one number", .input(2))
    }
    let slice = data.shape.dimensions[ids.shape.rank...]
    let segments = Segments(count: try node.integer(2), sliceLength: slice.reduce(1, *))
    let output = data.moved(
      to: try Shape.checked([segments.count] + slice), declared: try node.declaredOutput())
    switch combination {
    case .sum: return Prepared(output, try segments.sum(data.elementType))
    case .product: return Prepared(output, try segments.product(data.elementType))
    case .maximum: return Prepared(output, try segments.extreme(data.elementType, isMaximum: true))
    case .minimum: return Prepared(output, try segments.extreme(data.elementType, isMaximum: false))
    }
  }
}

/// The segments that slices are combined to.
package struct Segments: Sendable, Hashable {
  /// Segments of the output.
  package let count: Int
  /// Elements of a slice.
  package let sliceLength: Int

  fileprivate func sum(_ type: ElementType) throws(KernelError) -> any Kernel {
    switch try Number(type) {
    case .float32: LoopKernel(SegmentLoop(FloatSumReduction(), self))
    case .int32: LoopKernel(SegmentLoop(WrappingSumReduction<Int32>(), self))
    }
  }

  fileprivate func product(_ type: ElementType) throws(KernelError) -> any Kernel {
    switch try Number(type) {
    case .float32: LoopKernel(SegmentLoop(FloatProductReduction(), self))
    case .int32: LoopKernel(SegmentLoop(WrappingProductReduction<Int32>(), self))
    }
  }

  fileprivate func extreme(
    _ type: ElementType, isMaximum: Bool
  ) throws(KernelError) -> any Kernel {
    switch try Number(type) {
    case .float32:
      let greatest = Float.greatestFiniteMagnitude
      let empty = isMaximum ? -greatest : greatest
      return LoopKernel(SegmentLoop(ExtremeReduction(isMaximum: isMaximum, empty: empty), self))
    case .int32:
      let empty = isMaximum ? Int32.min : Int32.max
      return LoopKernel(SegmentLoop(ExtremeReduction(isMaximum: isMaximum, empty: empty), self))
    }
  }

  /// The element types that can be combined.
  private enum Number {
    case float32, int32

    init(_ type: ElementType) throws(KernelError) {
      switch type {
      case .float32: self = .float32
      case .int32: self = .int32
      case let other: throw .elementType(other, .input(0))
      }
    }
  }
}

/// The loop over slices, each combined with what its segment holds already.
package struct SegmentLoop<Arithmetic: ReductionArithmetic>: SteppedLoop
where Arithmetic.Accumulator == Arithmetic.Output {
  /// How slices are combined.
  package let arithmetic: Arithmetic
  /// Where they go.
  package let segments: Segments

  /// The combination of slices to `segments` by `arithmetic`.
  package init(_ arithmetic: Arithmetic, _ segments: Segments) {
    self.arithmetic = arithmetic
    self.segments = segments
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let data = frame.input(0, as: Arithmetic.Input.self)
    let ids = frame.input(1, as: Int32.self)
    var output = frame.output(0, as: Arithmetic.Output.self)
    for index in output.indices { output[index] = arithmetic.empty }
    for slice in ids.indices {
      guard Int(ids[slice]) < segments.count else {
        throw .invalid("segment \(ids[slice]) of \(segments.count)", .input(1))
      }
      guard ids[slice] >= 0 else { continue }
      let target = Int(ids[slice]) * segments.sliceLength
      let source = slice * segments.sliceLength
      for offset in 0..<segments.sliceLength {
        steps.about(target + offset)
        steps.note("slice", "has the number \(ids[slice])", slice)
        arithmetic.combine(
          &output[target + offset], steps.read(data, source + offset), &steps)
      }
    }
    for index in output.indices {
      steps.about(index)
      output[index] = arithmetic.finish(output[index], &steps)
    }
  }
}
