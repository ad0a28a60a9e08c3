// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import ModelFormat
import Tensors
import Testing

/// Model files.
@Suite struct ModelFileTests {
  @Test func `everything in a small model comes back`() throws {
    let model = try SmallModel.parsed()
    #expect(model.version == 3)
    #expect(model.description == "two nodes")
    #expect(model.buffers.map(\.count) == [0, 2])
    let signature = try #require(model.signatures.first)
    #expect(signature.key == "serving_default")
    #expect(signature.subgraph == 0)
    #expect(signature.inputs.map(\.name) == ["x"])
    #expect(signature.inputs.map(\.tensor) == [0])
    #expect(signature.outputs.map(\.name) == ["y"])
    #expect(signature.outputs.map(\.tensor) == [4])
    let main = try #require(model.subgraphs.first)
    #expect(main.name == "main")
    #expect(main.inputs == [0])
    #expect(main.outputs == [4])
    #expect(main.tensors.map(\.name) == ["input", "filter", "bias", "middle", "state"])
  }

  @Test func `nodes carry operator, tensors and options`() throws {
    let nodes = try #require(try SmallModel.parsed().subgraphs.first).nodes
    #expect(nodes[0].identity == OperatorIdentity(.conv2D, version: 5))
    #expect(nodes[0].inputs == [0, 1, 2])
    #expect(nodes[0].outputs == [3])
    let options = try nodes[0].options(as: Conv2DOptions.self)
    #expect(options.padding == .valid)
    #expect(options.strideWidth == 2)
    #expect(options.strideHeight == 3)
    #expect(options.fusedActivation == .relu6)
    #expect(options.dilationWidth == 4)
    #expect(options.dilationHeight == 1)
    #expect(nodes[1].identity == OperatorIdentity(custom: "Mine"))
    #expect(nodes[1].identity.name == "Mine")
    #expect(nodes[1].inputs == [3, -1])
    #expect(nodes[1].intermediates == [-1, 2])
    #expect(nodes[1].customOptions == [1, 2, 3])
    #expect(nodes[1].mutatingVariableInputs == [true, false])
  }

  @Test func `tensors carry type, shape, quantization and state`() throws {
    let tensors = try #require(try SmallModel.parsed().subgraphs.first).tensors
    #expect(tensors[0].type == TensorType(.float32, [1, 4, 4, 1]))
    #expect(
      tensors[1].type
        == TensorType(
          .int8, [2, 1, 1, 1],
          quantization: Quantization(scales: [0.5, 0.25], zeroPoints: [0, 0], axis: 0)))
    #expect(tensors[1].buffer == 1)
    #expect(tensors[3].shapeSignature == [-1, 2, 2, 2])
    #expect(tensors[0].shapeSignature == nil)
    #expect(tensors[4].isVariable)
    #expect(tensors[4].hasRank)
    #expect(tensors[4].type.shape == .scalar)
  }

  @Test func `the operator is the larger of the narrow and the wide code`() throws {
    let wide = FlatTable([0: .int(Int8(127)), 3: .int(Int32(150))])
    let model = try SmallModel.parsed { model in
      model.operatorCodes[0] = wide
      model.convolution.fields[3] = nil
    }
    #expect(model.subgraphs.first?.nodes.first?.identity.code == .gelu)
  }

  @Test func `an operator that the schema does not have keeps its number`() throws {
    let model = try SmallModel.parsed { model in
      model.operatorCodes[0] = FlatTable([3: .int(Int32(5000))])
    }
    let identity = try #require(model.subgraphs.first?.nodes.first?.identity)
    #expect(identity.code == nil)
    #expect(identity.rawCode == 5000)
    #expect(identity.name == "BUILTIN_5000")
  }

  @Test func `unknown dimensions in the shape of old files count as 1`() throws {
    let model = try SmallModel.parsed { model in
      model.tensors[0].fields[0] = .ints([Int32(-1), 4, 4, 1])
    }
    let tensor = try #require(model.subgraphs.first?.tensors.first)
    #expect(tensor.type.shape == [1, 4, 4, 1])
    #expect(tensor.shapeSignature == [-1, 4, 4, 1])
  }

  @Test func `contents of buffers and custom options may lie behind the tables`() throws {
    var model = SmallModel()
    let plain = model.bytes.count
    func location(_ offset: Int, _ size: Int) {
      model.buffers[1] = FlatTable([1: .int(UInt64(offset)), 2: .int(UInt64(size))])
      model.custom.fields[5] = nil
      model.custom.fields[9] = .int(UInt64(offset + 1))
      model.custom.fields[10] = .int(UInt64(size - 1))
    }
    location(plain * 2, 3)
    var bytes = model.bytes
    bytes += [UInt8](repeating: 0, count: plain * 2 - bytes.count) + [7, 8, 9]
    let file = try ModelFile(parsing: bytes.span)
    #expect(file.buffers[1] == plain * 2..<plain * 2 + 3)
    #expect(file.subgraphs.first?.nodes.last?.customOptions == [8, 9])

    location(plain * 2, 4)
    bytes.replaceSubrange(0..<model.bytes.count, with: model.bytes)
    let error = #expect(throws: ModelError.self) { try ModelFile(parsing: bytes.span) }
    #expect(error?.path == [.buffer(1)])
  }

  /// As some converters copy it from a filter to its bias.
  @Test func `a scale for each element needs no quantized dimension`() throws {
    func bias(_ scales: [Float], axis: Int32) throws -> TensorType? {
      let table = FlatTable([
        2: .floats(scales), 3: .ints(scales.map { _ in Int64(0) }), 6: .int(axis),
      ])
      return try SmallModel.parsed { $0.tensors[2].fields[4] = .table(table) }.subgraphs.first?
        .tensors[2].type
    }
    #expect(
      try bias([0.5, 0.25], axis: 3)
        == TensorType(.int32, [2], quantization: Quantization(scales: [0.5, 0.25])))
    // One scale of two elements does not say that.
    #expect(throws: ModelError.self) { try bias([0.5], axis: 3) }
    #expect(throws: ModelError.self) { try bias([0.5, 0.25], axis: -1) }
  }

  @Test func `details of quantization, sparsity and variants are decoded`() throws {
    let indices = FlatTable([0: .ints([UInt16(1), 0])])
    let segments = FlatTable([0: .bytes([0, 2, 2])])
    let model = try SmallModel.parsed { model in
      model.tensors[1].fields[4] = .table(
        FlatTable([
          4: .int(UInt8(2)),
          5: .table(
            FlatTable([0: .int(Int32(2)), 1: .int(Int32(-1)), 2: .int(Int32(32))])),
        ]))
      model.tensors[2].fields[0] = .ints([Int32(2), 3])
      model.tensors[2].fields[6] = .table(
        FlatTable([
          0: .ints([Int32(0), 1]),
          2: .tables([
            FlatTable([1: .int(Int32(2))]),
            FlatTable([
              0: .int(Int8(1)), 2: .int(UInt8(3)), 3: .table(segments), 4: .int(UInt8(2)),
              5: .table(indices),
            ]),
          ]),
        ]))
      model.tensors[4].fields[9] = .tables([
        FlatTable([0: .ints([Int32(7)]), 1: .int(Int8(4)), 2: .bool(true)])
      ])
    }
    let tensors = try #require(model.subgraphs.first).tensors
    #expect(tensors[1].type.quantization == nil)
    #expect(
      tensors[1].quantization?.details == .blockwise(scales: 2, zeroPoints: -1, blockSize: 32))
    let sparsity = try #require(tensors[2].sparsity)
    #expect(sparsity.traversalOrder == [0, 1])
    #expect(
      sparsity.dimensions == [
        .dense(size: 2), .compressed(segments: [0, 2, 2], indices: [1, 0]),
      ])
    let variant = try #require(tensors[4].variantTypes.first)
    #expect(variant.elementType == .int64)
    #expect(variant.shape == [7])
    #expect(variant.hasRank)
  }
}
