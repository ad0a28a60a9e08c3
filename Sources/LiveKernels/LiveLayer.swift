// SPDX-License-Identifier: Apache-2.0

package import Martlet
import ModelFormat
import ReferenceKernels
import Tensors

/// A layer of a run, on its own, with all values that a page needs to compute it again.
package struct LiveLayer {
  /// The index of the node in the main subgraph.
  package let index: Int
  /// The schema's name, such as `CONV_2D`.
  package let operatorName: String
  /// The name of the output tensor.
  package let outputName: String
  /// The node with its inputs.
  package let node: LiveNode
  /// What the node wrote in the run.
  package let output: LiveNode.Tensor

  /// Bytes that a page may take for a layer.
  static let byteLimit = 200 << 10
  /// Products that a page may compute at each change.
  static let productLimit = 10_000_000

  /// The layer of a finished run that shows best what a kernel does: a convolution, depthwise or
  /// not, or else a fully connected one; the earliest that is small enough.
  ///
  /// - Parameter interpreter: the interpreter after `invoke()`, with `keepsAllTensors`.
  /// - Returns: the layer; nil where no node suits.
  package static func best(of interpreter: Interpreter) -> LiveLayer? {
    let nodes = interpreter.model.file.subgraphs[interpreter.subgraphIndex].nodes
    let layers = nodes.indices.compactMap { LiveLayer(interpreter, node: $0) }
    for code in [OperatorCode.conv2D, .depthwiseConv2D, .fullyConnected] {
      if let layer = layers.first(where: { $0.node.code == code }) { return layer }
    }
    return nil
  }

  /// A node of a finished run; nil where a page cannot show it.
  init?(_ interpreter: Interpreter, node index: Int) {
    let subgraph = interpreter.model.file.subgraphs[interpreter.subgraphIndex]
    let node = subgraph.nodes[index]
    guard let code = node.identity.code,
      [.conv2D, .depthwiseConv2D, .fullyConnected].contains(code), node.inputs.count >= 2,
      let table = interpreter.table, node.outputs.count == 1
    else { return nil }
    func tensor(_ index: Int) -> LiveNode.Tensor? {
      guard let type = table.types[index], let bytes = table.bytes[index],
        let byteCount = type.byteCount, byteCount <= Self.byteLimit, byteCount <= bytes.byteCount
      else { return nil }
      return LiveNode.Tensor(
        type: type, isConstant: table.sources[index] == .constant,
        bytes: Array(bytes.array().prefix(byteCount)))
    }
    guard let output = tensor(node.outputs[0]), output.type.shape.elementCount > 0 else {
      return nil
    }
    var inputs: [LiveNode.Tensor?] = []
    for index in node.inputs {
      guard index >= 0 else {
        inputs.append(nil)
        continue
      }
      guard subgraph.tensors[index].sparsity == nil, let input = tensor(index) else { return nil }
      inputs.append(input)
    }
    let rounding = interpreter.options.rounding
    let live = LiveNode(
      code, options: node.options?.serialized ?? [], rounding: rounding,
      productsRoundUp: rounding == .double && interpreter.model.isBeyondReference,
      inputs: inputs, outputs: [output.type])
    guard Self.isShown(live, output), live.record.count + output.bytes.count <= Self.byteLimit,
      // The page's kernel must be at home here, too: it computes what it will compute there.
      (try? live.derivation(of: 0)) != nil
    else { return nil }
    self.index = index
    operatorName = node.identity.name
    outputName = subgraph.tensors[node.outputs[0]].name
    self.node = live
    self.output = output
  }

  /// Whether a page has a view of the node: one image or row, weights of the same kind of
  /// numbers, few enough products.
  private static func isShown(_ node: LiveNode, _ output: LiveNode.Tensor) -> Bool {
    guard let input = node.inputs[0], let filter = node.inputs[1],
      [.float32, .int8, .uint8].contains(input.type.elementType),
      filter.type.elementType == input.type.elementType, filter.isConstant, !input.isConstant,
      output.type.elementType == input.type.elementType,
      [2, 4].contains(input.type.shape.rank), input.type.shape[0] == 1,
      [2, 4].contains(output.type.shape.rank), output.type.shape[0] == 1
    else { return false }
    let shape = filter.type.shape
    guard shape.elementCount > 0 else { return false }
    let channels = node.code == .depthwiseConv2D ? shape[shape.rank - 1] : shape[0]
    guard channels > 0 else { return false }
    let products = output.type.shape.elementCount * (shape.elementCount / channels)
    return products <= productLimit
  }
}
