// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers
package import Martlet
package import ModelSchema
package import ResourceLimits
package import Tensors

/// A model that a test draws node by node, of any size.
package struct DrawnModel {
  /// A subgraph.
  package struct Graph {
    var tensors: [FlatTable] = []
    package var inputs: [Int] = []
    package var outputs: [Int] = []
    var nodes: [FlatTable] = []

    /// A subgraph of nothing yet.
    package init() {}
  }

  /// The subgraphs; the first one is the main one.
  package var graphs = [Graph()]
  private var codes: [OperatorCode] = []
  private var buffers = [FlatTable()]

  /// A model of an empty subgraph.
  package init() {}

  /// Adds a tensor, constant where it has bytes; the signature has -1 for open dimensions.
  package mutating func tensor(
    _ shape: [Int], _ type: ElementType = .float32, bytes: [UInt8]? = nil, signature: [Int]? = nil,
    name: String? = nil, graph: Int = 0
  ) -> Int {
    var fields: [Int: FlatField] = [
      0: .ints(shape.map { Int32($0) }), 1: .int(Int8(type.rawValue)),
    ]
    if let name { fields[3] = .string(name) }
    if let signature { fields[7] = .ints(signature.map { Int32($0) }) }
    if let bytes {
      fields[2] = .int(UInt32(buffers.count))
      buffers.append(FlatTable([0: .bytes(bytes, alignment: 16)]))
    }
    graphs[graph].tensors.append(FlatTable(fields))
    return graphs[graph].tensors.count - 1
  }

  /// Adds a constant vector of int32, or a scalar.
  package mutating func constant(_ values: [Int32], shape: [Int]? = nil) -> Int {
    let bytes = values.flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return tensor(shape ?? [values.count], .int32, bytes: bytes)
  }

  /// Adds a node; `options` are the kind and the fields of its options.
  package mutating func node(
    _ code: OperatorCode, _ inputs: [Int], _ outputs: [Int],
    options: (kind: UInt8, fields: [Int: FlatField])? = nil, graph: Int = 0
  ) {
    let index = codes.firstIndex(of: code) ?? codes.count
    if index == codes.count { codes.append(code) }
    var fields: [Int: FlatField] = [
      0: .int(UInt32(index)), 1: .ints(inputs.map { Int32($0) }),
      2: .ints(outputs.map { Int32($0) }),
    ]
    if let options {
      fields[3] = .int(options.kind)
      fields[4] = .table(FlatTable(options.fields))
    }
    graphs[graph].nodes.append(FlatTable(fields))
  }

  /// The file.
  package var bytes: [UInt8] {
    let operators = codes.map { code in
      FlatTable([
        0: .int(Int8(clamping: code.rawValue)), 2: .int(Int32(1)), 3: .int(Int32(code.rawValue)),
      ])
    }
    let subgraphs = graphs.map { graph in
      FlatTable([
        0: .tables(graph.tensors), 1: .ints(graph.inputs.map { Int32($0) }),
        2: .ints(graph.outputs.map { Int32($0) }), 3: .tables(graph.nodes),
      ])
    }
    return FlatTable([
      0: .int(UInt32(3)), 1: .tables(operators), 2: .tables(subgraphs), 4: .tables(buffers),
    ]).serialized(identifier: "TFL3")
  }

  /// The model, loaded.
  package func loaded(_ limits: Limits = Limits()) throws(InferenceError) -> Model {
    try Model(bytes: bytes, limits: limits)
  }
}

extension DrawnModel {
  /// A chain of `count` nodes of one operand.
  package static func chain(_ count: Int, of code: OperatorCode = .neg) -> DrawnModel {
    var model = DrawnModel()
    var last = model.tensor([4])
    model.graphs[0].inputs = [last]
    for _ in 0..<count {
      let next = model.tensor([4])
      model.node(code, [last], [next])
      last = next
    }
    model.graphs[0].outputs = [last]
    return model
  }

  /// `count` tensors of `length` floats that follow from constants; the output is read from all of
  /// them where `isRead`, else from none.
  package static func constants(_ count: Int, length: Int, isRead: Bool) -> DrawnModel {
    var model = DrawnModel()
    let (size, zero) = (model.constant([Int32(length)]), model.tensor([], bytes: [0, 0, 0, 0]))
    let (input, output) = (model.tensor([1]), model.tensor(isRead ? [length] : [1]))
    var filled: [Int] = []
    for _ in 0..<count {
      filled.append(model.tensor([length]))
      model.node(.fill, [size, zero], [filled[filled.count - 1]])
    }
    if isRead {
      model.node(.addN, filled, [output])
    } else {
      model.node(.neg, [input], [output])
    }
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], [output])
    return model
  }

  /// `count` resource variables that a run gives `length` floats each.
  package static func variables(_ count: Int, length: Int) -> DrawnModel {
    var model = DrawnModel()
    let (size, value) = (model.constant([Int32(length)]), model.tensor([]))
    let (filled, output) = (model.tensor([length]), model.tensor([]))
    model.node(.fill, [size, value], [filled])
    for index in 0..<count {
      let handle = model.tensor([1], .resource)
      model.node(.varHandle, [], [handle], options: (111, [1: .string("v\(index)")]))
      model.node(.assignVariable, [handle, filled], [])
    }
    model.node(.neg, [value], [output])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([value], [output])
    return model
  }

  /// The sum of `count` operands of `length` floats, all of them the input.
  package static func sum(of count: Int, length: Int) -> DrawnModel {
    var model = DrawnModel()
    let (input, output) = (model.tensor([length]), model.tensor([length]))
    model.node(.addN, Array(repeating: input, count: count), [output])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], [output])
    return model
  }

  /// `count` inputs of one element, joined.
  package static func joined(_ count: Int) -> DrawnModel {
    var model = DrawnModel()
    let inputs = (0..<count).map { _ in model.tensor([1]) }
    let output = model.tensor([count])
    model.node(.concatenation, inputs, [output], options: (10, [0: .int(Int32(0))]))
    (model.graphs[0].inputs, model.graphs[0].outputs) = (inputs, [output])
    return model
  }
}

extension DrawnModel {
  /// A file of some hundred bytes with an output of `length` floats, all of them the input.
  package static func filled(length: Int) -> DrawnModel {
    var model = DrawnModel()
    let (size, value) = (model.constant([Int32(length)]), model.tensor([]))
    let output = model.tensor([length])
    model.node(.fill, [size, value], [output])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([value], [output])
    return model
  }
}
