// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import ModelFormat
import ModelParts
import Tensors
import Testing

/// Parts of models.
@Suite struct ExtractionTests {
  private func cut(
    _ nodes: [Int], _ change: (inout SmallModel) -> Void = { _ in }
  ) throws -> (old: ModelFile, part: ModelPart, new: ModelFile, bytes: [UInt8]) {
    var model = SmallModel()
    change(&model)
    let bytes = model.bytes
    let file = try ModelFile(parsing: bytes.span)
    let part = try file.part(nodes: nodes, ofSubgraph: 0)
    let written = try file.bytes(of: part, in: bytes.span, description: "a part")
    return (file, part, try ModelFile(parsing: written.span), written)
  }

  @Test func `a node takes along what it uses, and nothing else`() throws {
    let (old, part, new, bytes) = try cut([0]) { $0.inputs = [0, 2] }
    #expect(part.inputs == [0, 2] && part.outputs == [3])
    let graph = try #require(new.subgraphs.first)
    #expect(graph.name == "main" && new.description == "a part")
    #expect(graph.tensors.map(\.name) == ["input", "bias", "filter", "middle"])
    #expect(graph.inputs == [0, 1] && graph.outputs == [3])
    #expect(graph.nodes.map(\.inputs) == [[0, 2, 1]] && graph.nodes.map(\.outputs) == [[3]])
    #expect(graph.nodes[0].identity == old.subgraphs[0].nodes[0].identity)
    #expect(
      try graph.nodes[0].options(as: Conv2DOptions.self)
        == old.subgraphs[0].nodes[0].options(as: Conv2DOptions.self))
    #expect(graph.tensors[2].type == old.subgraphs[0].tensors[1].type)
    #expect(graph.tensors[3].shapeSignature == [-1, 2, 2, 2])
    #expect(new.buffers.map(\.count) == [0, 2])
    #expect(new.buffers[1].lowerBound.isMultiple(of: 16))
    #expect(Array(bytes[new.buffers[1]]) == [5, 6])
    #expect(new.signatures.isEmpty && new.metadata.isEmpty)
  }

  @Test func `custom operators keep their options and variables their kind`() throws {
    let (_, part, new, _) = try cut([1])
    #expect(part.inputs == [3] && part.outputs == [4])
    let node = try #require(new.subgraphs[0].nodes.first)
    #expect(node.identity.customName == "Mine" && node.customOptions == [1, 2, 3])
    #expect(node.inputs == [0, -1] && node.mutatingVariableInputs == [true, false])
    #expect(node.intermediates == [-1, 2])
    #expect(new.subgraphs[0].tensors.map(\.name) == ["middle", "state", "bias"])
    #expect(new.subgraphs[0].tensors[1].isVariable)
  }

  @Test func `the whole graph keeps its signatures, equal but for the order of tensors`() throws {
    var model = SmallModel()
    model.inputs = [0, 2]
    let bytes = model.bytes
    let file = try ModelFile(parsing: bytes.span)
    let part = try file.part(from: nil, to: nil, ofSubgraph: 0)
    let written = try file.bytes(of: part, in: bytes.span, description: "all")
    let new = try ModelFile(parsing: written.span)
    #expect(new.signatures.map(\.key) == ["serving_default"])
    #expect(new.signatures[0].inputs.map(\.tensor) == [new.subgraphs[0].inputs[0]])
    #expect(new.subgraphs[0].nodes.count == 2)
    #expect(Set(new.subgraphs[0].tensors.map(\.name)) == Set(file.subgraphs[0].tensors.map(\.name)))
    // Once more, the numbers are those of the first use already.
    let again = try new.bytes(
      of: try new.part(from: nil, to: nil, ofSubgraph: 0), in: written.span, description: "all")
    #expect(again == written)
  }

  @Test func `between tensors lie the nodes that are needed`() throws {
    let file = try SmallModel.parsed { $0.inputs = [0, 2] }
    let part = try file.part(from: nil, to: [3], ofSubgraph: 0)
    #expect(part.nodes == [0] && part.inputs == [0, 2])
    #expect(try file.part(from: [3], to: nil, ofSubgraph: 0).nodes == [1])
    func error(_ inputs: [Int]?, _ outputs: [Int]?) throws -> ExtractionError? {
      #expect(throws: ExtractionError.self) {
        try file.part(from: inputs, to: outputs, ofSubgraph: 0)
      }
    }
    #expect(try error([0], [3]) == .missingInput(2, name: "bias"))
    #expect(try error([1], [3]) == .fixedInput(1, name: "filter"))
    #expect(try error([0, 2], [1]) == .constantOutput(1, name: "filter"))
    #expect(try error([9], [3]) == .noSuchTensor("9", subgraph: 0, count: 5))
    #expect(try error([3], [3]) == .noNodes)
  }

  @Test func `what is not there is refused`() throws {
    let file = try SmallModel.parsed()
    #expect(throws: ExtractionError.noSuchSubgraph(1, count: 1)) {
      try file.part(nodes: [0], ofSubgraph: 1)
    }
    #expect(throws: ExtractionError.noSuchNode(2, subgraph: 0, count: 2)) {
      try file.part(nodes: [0, 2], ofSubgraph: 0)
    }
    #expect(throws: ExtractionError.noNodes) { try file.part(nodes: [], ofSubgraph: 0) }
  }

  @Test func `what cannot be kept is refused, with the location`() {
    let unknown = #expect(throws: ExtractionError.self) {
      try cut([0]) { $0.convolution.fields[20] = .int(UInt32(1)) }
    }
    #expect(unknown?.description.contains("slot 20 of Operator: not known here") == true)
    let member = #expect(throws: ExtractionError.self) {
      try cut([0]) { $0.convolution.fields[3] = .int(UInt8(200)) }
    }
    #expect(member?.description.contains("unknown member of BuiltinOptions 200 at byte") == true)
    let external = #expect(throws: ExtractionError.self) {
      try cut([0]) { $0.tensors[2].fields[10] = .int(UInt32(1)) }
    }
    #expect(external?.description.contains("tensor 2 'bias'") == true)
    let subgraph = #expect(throws: ExtractionError.self) {
      try cut([0]) {
        $0.convolution.fields[3] = .int(UInt8(92))
        $0.convolution.fields[4] = .table(FlatTable([0: .int(Int32(0)), 1: .int(Int32(5))]))
      }
    }
    #expect(subgraph?.description.contains("invalid else_subgraph_index: 5 of 1") == true)
  }

  @Test func `subgraphs that nodes call come along, also in circles`() throws {
    let (_, _, new, _) = try cut([0]) {
      $0.convolution.fields[3] = .int(UInt8(92))
      $0.convolution.fields[4] = .table(FlatTable([1: .int(Int32(-1))]))
    }
    // The first is the part, the second all of the subgraph that its node calls, as the node does
    // again in there.
    #expect(new.subgraphs.map(\.nodes.count) == [1, 2])
    for graph in new.subgraphs {
      let options = try graph.nodes[0].options(as: IfOptions.self)
      #expect(options.thenSubgraph == 1 && options.elseSubgraph == -1)
    }
  }

  @Test func `values behind the FlatBuffer come inside`() throws {
    var model = SmallModel()
    model.metadata = []
    model.buffers[1] = FlatTable([1: .int(UInt64(8)), 2: .int(UInt64(2))])
    model.custom.fields[5] = nil
    model.custom.fields[9] = .int(UInt64(8))
    model.custom.fields[10] = .int(UInt64(3))
    let length = UInt64(model.bytes.count)
    model.buffers[1].fields[1] = .int(length)
    model.custom.fields[9] = .int(length + 2)
    let bytes = model.bytes + [5, 6, 7, 8, 9]
    let file = try ModelFile(parsing: bytes.span)
    let part = try file.part(nodes: [0, 1], ofSubgraph: 0)
    let written = try file.bytes(of: part, in: bytes.span, description: "")
    let new = try ModelFile(parsing: written.span)
    #expect(Array(written[new.buffers[1]]) == [5, 6])
    #expect(new.subgraphs[0].nodes[1].customOptions == [7, 8, 9])
    let tree = try ModelTree(of: bytes.span)
    #expect(tree.usage.byteCounts[.weights] == 2)
    #expect(tree.usage.byteCounts.values.reduce(0, +) == bytes.count)
  }

  @Test func `what follows from constants comes along`() throws {
    // The filter now comes from the first node, which reads another constant.
    let (_, part, new, _) = try cut([1]) {
      $0.custom.fields[1] = .ints([Int32(1), -1])
      $0.custom.fields[2] = .ints([Int32(2)])
      $0.convolution.fields[1] = .ints([Int32(0), 2])
      let nodes = ($0.custom, $0.convolution)
      ($0.convolution, $0.custom) = nodes
    }
    #expect(part.chosenNodes == [1] && part.nodes == [0, 1])
    #expect(part.inputs == [0] && part.outputs == [3])
    #expect(new.subgraphs[0].nodes.count == 2)
  }

  @Test func `of nodes with equal operators, options and shapes one is distinct`() throws {
    let file = try SmallModel.parsed { $0.signature = FlatTable([2: .string("s")]) }
    #expect(try file.singleNodes(ofSubgraph: 0, distinct: false).map(\.nodes) == [[0], [1]])
    let bytes = FlatTable(
      SmallModel().root.fields.merging([
        2: .tables([
          FlatTable([
            0: .tables(SmallModel().tensors), 1: .ints([Int32(0)]), 2: .ints([Int32(4)]),
            3: .tables([SmallModel().convolution, SmallModel().convolution, SmallModel().custom]),
          ])
        ])
      ]) { $1 }
    ).serialized(identifier: "TFL3")
    let other = try ModelFile(parsing: bytes.span)
    #expect(try other.singleNodes(ofSubgraph: 0, distinct: true).map(\.nodes) == [[0], [2]])
  }
}
