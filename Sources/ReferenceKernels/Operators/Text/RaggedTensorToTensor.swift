// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension CatalogEntry {
  static let raggedTensorToTensor = CatalogEntry(
    custom: "RaggedTensorToTensor", chapter: .text,
    formula: "y[r, c…, i…] = x[element c… of row r, i…],   default where there is none",
    variants: "f32 i32 i64", optimized: "",
    work: .nothing, reads: .everything
  ) { node throws(KernelError) in
    var kinds: [RaggedTensorToTensor.Kind] = []
    for value in try node.flexOptions()["row_partition_types"]?.vector ?? [] {
      let name = value.string ?? ""
      guard let kind = RaggedTensorToTensor.Kind(rawValue: name) else {
        throw .unsupported("row partition \(name)")
      }
      kinds.append(kind)
    }
    return try RaggedTensorToTensor(kinds: kinds)
  }
}

/// `RaggedTensorToTensor`: rows of different lengths put into a tensor.
///
/// - Input 0: the shape, int32 or int64; −1 stands for as many as there are, and so does a scalar
///   for all axes. Those of the elements' own axes are not read.
/// - Input 1: the elements of all rows one after the other, along the first axis.
/// - Input 2: the default, one element.
/// - Inputs 3…: the partitions that `row_partition_types` names, int32 or int64: `FIRST_DIM_SIZE`,
///   the number of rows, as the first one; `ROW_SPLITS`, where each row begins, with the end of the
///   last one; `VALUE_ROWIDS`, the row of each element, not as the first one.
/// - Output 0: what has no place in the shape is left out, and what is free has the default.
///
/// The elements of a row follow each other; those of a row that comes again, at a place that is
/// already behind, go to the next free place, as in TFLite. Rows and elements that are not there
/// are errors, and undefined there. TensorFlow Lite Support and MediaPipe:
/// `ragged_tensor_to_tensor_tflite.cc`.
struct RaggedTensorToTensor: Operator {
  /// What a partition consists of.
  enum Kind: String {
    case firstDimension = "FIRST_DIM_SIZE"
    case valueRows = "VALUE_ROWIDS"
    case rowSplits = "ROW_SPLITS"
  }

  private let hasFirstDimension: Bool
  /// The partitions of the axes behind the first one.
  private let kinds: [Kind]

  init(kinds: [Kind]) throws(KernelError) {
    hasFirstDimension = kinds.first == .firstDimension
    self.kinds = hasFirstDimension ? Array(kinds.dropFirst()) : kinds
    guard hasFirstDimension || kinds.first == .rowSplits,
      !self.kinds.contains(.firstDimension)
    else { throw .unsupported("these row partitions: \(kinds.map(\.rawValue))") }
  }

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let firstPartition = hasFirstDimension ? 4 : 3
    try node.expect(inputs: firstPartition + kinds.count...firstPartition + kinds.count)
    let values = try node.input(1)
    try node.input(2).expect(values.elementType, .input(2))
    try node.declaredOutput().expect(values.elementType, .output(0))
    guard try node.input(2).shape.elementCount == 1 else {
      throw .invalid("default of shape \(try node.input(2).shape), wanted one element", .input(2))
    }
    guard let valueCount = values.shape.dimensions.first else {
      throw .rank(0, wanted: "at least 1", .input(1))
    }
    var partitions: [RowPartition] = []
    for (index, kind) in kinds.enumerated() {
      let numbers = try partition(node, firstPartition + index)
      partitions.append(
        kind == .rowSplits
          ? try RowPartition(rowSplits: numbers) : try RowPartition(valueRows: numbers))
    }
    let rowCount = try rowCount(node, partitions)
    let shape = try outputShape(node, partitions, rowCount: rowCount)
    let places = try places(partitions, shape, rowCount: rowCount, valueCount: valueCount)
    let targets = try Self.targets(places, count: shape.dimensions[...kinds.count].reduce(1, *))
    let elementLength = values.shape.dimensions.dropFirst().reduce(1, *)
    let type = TensorType(values.elementType, shape)
    switch values.elementType {
    case .float32:
      return Prepared(type, RaggedLoop<Float>.kernel(targets, elementLength))
    case .int32:
      return Prepared(type, RaggedLoop<Int32>.kernel(targets, elementLength))
    case .int64:
      return Prepared(type, RaggedLoop<Int64>.kernel(targets, elementLength))
    case let other: throw .elementType(other, .input(1))
    }
  }

  private func partition(
    _ node: PrepareContext, _ position: Int
  ) throws(KernelError) -> [Int] {
    let type = try node.input(position).elementType
    guard [.int32, .int64].contains(type) else { throw .elementType(type, .input(position)) }
    return try node.integers(position)
  }

  private func rowCount(
    _ node: PrepareContext, _ partitions: [RowPartition]
  ) throws(KernelError) -> Int {
    if hasFirstDimension {
      guard let count = try partition(node, 3).first, count >= 0 else {
        throw .invalid("wanted a number of rows", .input(3))
      }
      return count
    }
    guard try node.input(3).shape.elementCount > 0, let rowCount = partitions.first?.rowCount else {
      throw .invalid("wanted the beginnings of rows", .input(3))
    }
    return rowCount
  }

  private func outputShape(
    _ node: PrepareContext, _ partitions: [RowPartition], rowCount: Int
  ) throws(KernelError) -> Shape {
    let values = try node.input(1).shape
    let rank = kinds.count + values.rank
    let isGiven = try node.input(0).shape.rank > 0
    var dimensions =
      isGiven ? try partition(node, 0) : [Int](repeating: -1, count: rank)
    guard dimensions.count == rank else {
      throw .invalid("shape of \(dimensions.count) axes, wanted \(rank)", .input(0))
    }
    for axis in 1..<values.rank {
      dimensions[kinds.count + axis] = values[axis]
    }
    if dimensions[0] < 0 { dimensions[0] = rowCount }
    for (index, partition) in partitions.enumerated() where dimensions[index + 1] < 0 {
      dimensions[index + 1] = partition.longestRow
    }
    return try Shape.checked(dimensions)
  }

  /// Where each element lies, counted in elements; nil for those that are left out.
  private func places(
    _ partitions: [RowPartition], _ shape: Shape, rowCount: Int, valueCount: Int
  ) throws(KernelError) -> [Int?] {
    let axes = shape.dimensions[...partitions.count]
    guard !axes.contains(0) else { return [] }
    // Rows that no partition refers to have no elements, however many there are said to be.
    let count = min(rowCount, partitions.first?.rowCount ?? valueCount)
    var step = axes.dropFirst().reduce(1, *)
    var places: [Int?] = (0..<count).map { $0 < axes[0] ? $0 * step : nil }
    for (index, partition) in partitions.enumerated() {
      step /= axes[index + 1]
      let isLast = index + 1 == partitions.count
      guard !isLast || partition.elementCount <= valueCount else {
        throw .invalid("\(valueCount) elements for rows of \(partition.elementCount)", .input(1))
      }
      places = try partition.places(
        of: isLast ? valueCount : min(partitions[index + 1].rowCount, partition.elementCount),
        parents: places, step: step, width: axes[index + 1])
    }
    return places
  }

  /// Where TFLite's loop over the elements puts each: it never goes back.
  private static func targets(_ places: [Int?], count: Int) throws(KernelError) -> [Int?] {
    var end = 0
    var targets: [Int?] = []
    targets.reserveCapacity(places.count)
    for place in places {
      guard let place else {
        targets.append(nil)
        continue
      }
      end = max(end, place)
      guard end < count else { throw .invalid("elements of a row that comes again") }
      targets.append(end)
      end += 1
    }
    return targets
  }
}

/// The loop of `RaggedTensorToTensor`.
package struct RaggedLoop<Element: TensorElement>: SteppedLoop {
  /// Where each element goes, counted in elements.
  let targets: [Int?]
  /// Numbers of an element.
  package let elementLength: Int

  /// The kernel that puts elements at `targets`.
  fileprivate static func kernel(_ targets: [Int?], _ elementLength: Int) -> any Kernel {
    LoopKernel(RaggedLoop(targets: targets, elementLength: elementLength))
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let values = frame.input(1, as: Element.self)
    let fallback = frame.input(2, as: Element.self)
    var output = frame.output(0, as: Element.self)
    for index in output.indices { output[index] = fallback[0] }
    if steps.areTold {
      for index in output.indices {
        steps.about(index)
        steps.read(fallback, 0)
      }
    }
    for (source, target) in targets.enumerated() {
      guard let target else { continue }
      for offset in 0..<elementLength {
        let index = target * elementLength + offset
        steps.about(index)
        output[index] = steps.moved(values, source * elementLength + offset)
      }
    }
  }
}
