// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import ModelFormat
import ReferenceKernels
import Tensors

extension OptionsTable {
  /// The bytes of a FlatBuffer whose root is the table.
  package var serialized: [UInt8] { table.serialized(identifier: "") }
}

extension CatalogEntry {
  /// The prepared node whose options are the root table of `options`; of operators that records
  /// carry none of, the bytes are not looked at.
  ///
  /// - Throws: `KernelError` as the operator does, and where the bytes are no such table.
  func prepare(_ context: PrepareContext, options: [UInt8]) throws(KernelError) -> Prepared {
    var decoded: (any OptionsTable)?
    do throws(FlatBufferError) {
      if !options.isEmpty { decoded = try Self.options(of: code, options) }
    } catch {
      throw .invalid("malformed options: \(error)")
    }
    return try make(NodeDescription(options: decoded)).prepare(context)
  }

  private static func options(
    of code: OperatorCode, _ bytes: [UInt8]
  ) throws(FlatBufferError) -> (any OptionsTable)? {
    let table = try Table(root: bytes.span)
    return switch code {
    case .conv2D: try Conv2DOptions(table)
    case .depthwiseConv2D: try DepthwiseConv2DOptions(table)
    case .fullyConnected: try FullyConnectedOptions(table)
    case .averagePool2D, .maxPool2D: try Pool2DOptions(table)
    case .softmax: try SoftmaxOptions(table)
    case .add: try AddOptions(table)
    case .mul: try MulOptions(table)
    case _: nil
    }
  }
}

extension LiveNode {
  /// What explanations are told of the node apart from its tensors.
  static var node: ModelFile.Node {
    ModelFile.Node(OperatorIdentity(.custom), inputs: [], outputs: [])
  }
}
