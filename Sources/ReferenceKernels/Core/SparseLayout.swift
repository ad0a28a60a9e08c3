// SPDX-License-Identifier: Apache-2.0

package import ModelSchema
package import Tensors

/// Where the stored values of a sparse tensor belong among all of its elements.
///
/// The format is that of the TACO compiler: the tensor's dimensions, and after them the dimensions
/// of dense blocks, are walked in some order. Each is either dense, with every coordinate, or
/// compressed, with a list of coordinates for each position in the dimensions before it.
/// TFLite: `sparsity_format_converter.cc`.
package struct SparseLayout: Sendable {
  /// The flat index of each stored value.
  package let positions: [Int]

  /// The positions of the `storedCount` values of a tensor of this shape.
  ///
  /// - Throws: `KernelError` where the description contradicts itself, the shape or the count.
  package init(
    _ sparsity: SparsityParameters, shape: Shape, storedCount: Int,
    _ tensor: KernelError.Tensor = .input(0)
  ) throws(KernelError) {
    do throws(Contradiction) {
      let axes = try Self.axes(sparsity, shape: shape)
      var positions = [0]
      for level in axes.indices {
        let limit = try Self.positionLimit(axes[level...], storedCount: storedCount)
        positions = try axes[level].expanded(positions, limit: limit)
      }
      self.positions = positions
    } catch {
      throw .invalid("sparsity: \(error.reason)", tensor)
    }
  }

  /// All elements of a sparse tensor of `type`, as bytes of their own.
  ///
  /// - Throws: `KernelError` as `init` does, and for elements that are not of 1, 2 or 4 bytes.
  package static func densified(
    _ bytes: TensorBytes, _ sparsity: SparsityParameters, _ type: TensorType,
    _ tensor: KernelError.Tensor
  ) throws(KernelError) -> TensorBytes {
    guard let bits = type.elementType.bitCount, let byteCount = type.byteCount else {
      throw .elementType(type.elementType, tensor)
    }
    let layout = try SparseLayout(
      sparsity, shape: type.shape, storedCount: bytes.byteCount / max(bits / 8, 1), tensor)
    let dense = TensorBytes(zeroed: byteCount)
    func expand<Element>(as element: Element.Type)
    where Element: TensorElement & ExpressibleByIntegerLiteral {
      var elements = dense.mutableSpan(as: Element.self)
      layout.expand(bytes.span(as: Element.self), to: &elements)
    }
    switch bits {
    case 8: expand(as: UInt8.self)
    case 16: expand(as: UInt16.self)
    case 32: expand(as: UInt32.self)
    default: throw .elementType(type.elementType, tensor)
    }
    return dense
  }

  /// Writes the stored values to their positions among zeros.
  @_lifetime(dense: copy dense)
  package func expand<Element: TensorElement & ExpressibleByIntegerLiteral>(
    _ stored: Span<Element>, to dense: inout MutableSpan<Element>
  ) {
    for index in dense.indices { dense[index] = 0 }
    for index in positions.indices { dense[positions[index]] = stored[index] }
  }
}

/// What is wrong with a description of sparsity.
private struct Contradiction: Error {
  let reason: String
}

extension SparseLayout {
  /// One walked dimension.
  private struct Axis {
    let stored: SparsityParameters.Dimension
    /// Coordinates there are.
    let length: Int
    /// How far neighboring coordinates are apart in the dense tensor.
    let stride: Int

    /// `positions` with every coordinate of this dimension, which must be at most `limit` in all.
    func expanded(_ positions: [Int], limit: Int) throws(Contradiction) -> [Int] {
      var result: [Int] = []
      switch stored {
      case .dense:
        let (count, overflow) = positions.count.multipliedReportingOverflow(by: length)
        guard !overflow, count <= limit else {
          throw Contradiction(reason: "more positions than stored values")
        }
        result.reserveCapacity(count)
        for position in positions {
          for coordinate in 0..<length { result.append(position + coordinate * stride) }
        }
      case .compressed(let segments, let indices):
        guard segments.count == positions.count + 1 else {
          throw Contradiction(
            reason: "\(segments.count) segment bounds for \(positions.count) segments")
        }
        for (segment, position) in positions.enumerated() {
          let (start, end) = (Int(segments[segment]), Int(segments[segment + 1]))
          guard 0 <= start, start <= end, end <= indices.count, result.count + end - start <= limit
          else { throw Contradiction(reason: "segment from \(start) to \(end)") }
          for coordinate in indices[start..<end] {
            guard 0..<length ~= Int(coordinate) else {
              throw Contradiction(reason: "coordinate \(coordinate) of \(length)")
            }
            result.append(position + Int(coordinate) * stride)
          }
        }
      }
      return result
    }
  }

  /// How many positions there may be after the first of the `remaining` axes: as many as the next
  /// compressed one has segments, or values are stored.
  private static func positionLimit(
    _ remaining: ArraySlice<Axis>, storedCount: Int
  ) throws(Contradiction) -> Int {
    for axis in remaining.dropFirst() {
      if case .compressed(let segments, _) = axis.stored { return segments.count }
    }
    return storedCount
  }

  /// The walked dimensions in order.
  private static func axes(
    _ sparsity: SparsityParameters, shape: Shape
  ) throws(Contradiction) -> [Axis] {
    let (rank, blockMap) = (shape.rank, sparsity.blockMap)
    let count = rank + blockMap.count
    guard sparsity.dimensions.count == count, sparsity.traversalOrder.count == count,
      Set(sparsity.traversalOrder) == Set(0..<count)
    else { throw Contradiction(reason: "traversal order \(sparsity.traversalOrder)") }
    guard blockMap.allSatisfy({ 0..<rank ~= $0 }), Set(blockMap).count == blockMap.count else {
      throw Contradiction(reason: "block map \(blockMap)")
    }
    var blockLengths = [Int](repeating: 1, count: rank)
    for (dimension, axis) in zip(sparsity.dimensions, sparsity.traversalOrder) where axis >= rank {
      let blocked = blockMap[axis - rank]
      guard case .dense(let length) = dimension, length > 0, shape[blocked] % length == 0 else {
        throw Contradiction(reason: "block of axis \(blocked)")
      }
      blockLengths[blocked] = length
    }
    let strides = shape.strides
    var axes: [Axis] = []
    for (dimension, axis) in zip(sparsity.dimensions, sparsity.traversalOrder) {
      let blocked = axis < rank ? axis : blockMap[axis - rank]
      let block = blockLengths[blocked]
      let length = axis < rank ? shape[axis] / block : block
      if case .dense(let stored) = dimension, stored != length {
        throw Contradiction(reason: "\(stored) coordinates along axis \(axis), wanted \(length)")
      }
      axes.append(
        Axis(
          stored: dimension, length: length,
          stride: axis < rank ? strides[axis] * block : strides[blocked]))
    }
    return axes
  }
}
