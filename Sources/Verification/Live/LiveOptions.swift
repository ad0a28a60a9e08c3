// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers
package import ModelFormat
import ReferenceKernels
import Tensors

/// Options that a node's record can carry.
package protocol RecordedOptions: OptionsTable {
  /// The fields by slot, as the schema numbers them.
  var fields: [Int: FlatField] { get }
}

extension RecordedOptions {
  /// The bytes of a FlatBuffer whose root is the table.
  package var serialized: [UInt8] { FlatTable(fields).serialized(identifier: "") }
}

extension Conv2DOptions: RecordedOptions {
  package var fields: [Int: FlatField] {
    [
      0: .int(padding.rawValue), 1: .int(strideWidth), 2: .int(strideHeight),
      3: .int(fusedActivation.rawValue), 4: .int(dilationWidth), 5: .int(dilationHeight),
      6: .int(quantizedBiasType.rawValue),
    ]
  }
}

extension DepthwiseConv2DOptions: RecordedOptions {
  package var fields: [Int: FlatField] {
    [
      0: .int(padding.rawValue), 1: .int(strideWidth), 2: .int(strideHeight),
      3: .int(depthMultiplier), 4: .int(fusedActivation.rawValue), 5: .int(dilationWidth),
      6: .int(dilationHeight),
    ]
  }
}

extension FullyConnectedOptions: RecordedOptions {
  package var fields: [Int: FlatField] {
    [
      0: .int(fusedActivation.rawValue), 1: .int(weightsFormat.rawValue), 2: .bool(keepsRank),
      3: .bool(asymmetricQuantizeInputs), 4: .int(quantizedBiasType.rawValue),
    ]
  }
}

extension Pool2DOptions: RecordedOptions {
  package var fields: [Int: FlatField] {
    [
      0: .int(padding.rawValue), 1: .int(strideWidth), 2: .int(strideHeight),
      3: .int(filterWidth), 4: .int(filterHeight), 5: .int(fusedActivation.rawValue),
    ]
  }
}

extension SoftmaxOptions: RecordedOptions {
  package var fields: [Int: FlatField] { [0: .float(beta)] }
}

extension AddOptions: RecordedOptions {
  package var fields: [Int: FlatField] {
    [0: .int(fusedActivation.rawValue), 1: .bool(powerOfTwoScaleInt16)]
  }
}

extension MulOptions: RecordedOptions {
  package var fields: [Int: FlatField] { [0: .int(fusedActivation.rawValue)] }
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
