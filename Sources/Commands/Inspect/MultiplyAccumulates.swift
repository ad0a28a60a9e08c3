// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import Tensors

/// How many products a node adds up: the usual measure of a network's work.
enum MultiplyAccumulates {
  /// The count for a node with tensors of these types; nil for operators that are not counted,
  /// for nodes whose tensors are unknown, and beyond 64 bits.
  ///
  /// Taps that fall into the padding are counted, as is customary.
  static func count(_ node: ModelFile.Node, types: [TensorType?]) -> Int? {
    func shape(_ tensors: [Int], _ position: Int) -> Shape? {
      guard tensors.indices.contains(position), types.indices.contains(tensors[position]) else {
        return nil
      }
      return types[tensors[position]]?.shape
    }
    guard let output = shape(node.outputs, 0) else { return nil }
    switch node.identity.code {
    case .conv2D:
      // Filter: output depth × height × width × depth of a group.
      guard let filter = shape(node.inputs, 1), filter.rank == 4, filter[0] > 0 else {
        return nil
      }
      return product(output.elementCount, filter.elementCount / filter[0])
    case .depthwiseConv2D:
      // Filter: 1 × height × width × output depth.
      guard let filter = shape(node.inputs, 1), filter.rank == 4 else { return nil }
      return product(output.elementCount, filter[1] * filter[2])
    case .transposeConv:
      // Every input pixel meets the whole filter: output depth × height × width × depth.
      guard let filter = shape(node.inputs, 1), let input = shape(node.inputs, 2),
        filter.rank == 4
      else { return nil }
      return product(input.elementCount, filter[0] * filter[1] * filter[2])
    case .fullyConnected:
      guard let filter = shape(node.inputs, 1), let depth = filter.dimensions.last else {
        return nil
      }
      return product(output.elementCount, depth)
    case .batchMatMul:
      guard let left = shape(node.inputs, 0), left.rank >= 2 else { return nil }
      let options = node.options as? BatchMatMulOptions
      let axis = options?.transposesLeft == true ? left.rank - 2 : left.rank - 1
      return product(output.elementCount, left[axis])
    case _: return nil
    }
  }

  private static func product(_ a: Int, _ b: Int) -> Int? {
    let (product, overflow) = a.multipliedReportingOverflow(by: b)
    return overflow ? nil : product
  }
}
