// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import ModelFormat
import Tensors
import Testing

/// Operators and their options.
@Suite struct OptionsTests {
  @Test func `codes and names of the schema belong together`() {
    #expect(OperatorCode.allCases.count == 210)
    #expect(OperatorCode.allCases.map(\.rawValue) == Array(0..<210))
    for code in OperatorCode.allCases {
      let plain = code.schemaName.filter { $0 != "_" }.lowercased()
      #expect("\(code)".lowercased() == plain)
      #expect(OperatorCode(schemaName: code.schemaName) == code)
    }
    #expect(OperatorCode.batchMatMul.rawValue == 126)
    #expect(OperatorCode.stablehloCase.schemaName == "STABLEHLO_CASE")
    #expect(OperatorCode(schemaName: "NO_SUCH") == nil)
  }

  @Test func `missing options are the schema's defaults`() throws {
    let node = ModelFile.Node(OperatorIdentity(.conv2D), inputs: [], outputs: [])
    let convolution = try node.options(as: Conv2DOptions.self)
    #expect(convolution.padding == .same)
    #expect(convolution.strideWidth == 0)
    #expect(convolution.dilationHeight == 1)
    #expect(convolution.fusedActivation == .none)
    #expect(AddOptions().powerOfTwoScaleInt16)
    #expect(BidirectionalSequenceLSTMOptions().timeMajor)
    #expect(!UnidirectionalSequenceLSTMOptions().timeMajor)
    #expect(UniqueOptions().indexType == .int32)
    #expect(ArgMaxOptions().outputType == .float32)
  }

  @Test func `options of another operator are refused by name`() throws {
    let node = ModelFile.Node(
      OperatorIdentity(.conv2D), inputs: [], outputs: [], options: SoftmaxOptions())
    let error = #expect(throws: ModelError.self) { try node.options(as: Conv2DOptions.self) }
    #expect(error?.reason == .wrongOptions(found: "SoftmaxOptions", wanted: "Conv2DOptions"))
  }

  @Test func `options of the second union are read from its slots`() throws {
    let pad = FlatTable([0: .ints([Int64(1), -2]), 2: .ints([Int64.max])])
    let model = try SmallModel.parsed { model in
      model.operatorCodes[0] = FlatTable([0: .int(Int8(127)), 3: .int(Int32(195))])
      model.convolution.fields[3] = nil
      model.convolution.fields[4] = nil
      model.convolution.fields[11] = .int(UInt8(10))
      model.convolution.fields[12] = .table(pad)
    }
    let node = try #require(model.subgraphs.first?.nodes.first)
    #expect(node.identity.code == .stablehloPad)
    let options = try node.options(as: StablehloPadOptions.self)
    #expect(options.low == [1, -2])
    #expect(options.high == [])
    #expect(options.interior == [.max])
  }

  @Test func `an unknown member of the union counts as no options`() throws {
    let model = try SmallModel.parsed { $0.convolution.fields[3] = .int(UInt8(250)) }
    #expect(model.subgraphs.first?.nodes.first?.options == nil)
  }

  @Test func `numbers of every width, texts and lists are decoded`() throws {
    let bytes = FlatTable([
      0: .string("composite"), 1: .int(Int32(-7)), 2: .bytes([9, 8]), 3: .int(Int8(0)),
      4: .int(Int32(2)),
    ]).serialized(identifier: "TEST")
    let composite = try StableHLOCompositeOptions(try Table(root: bytes.span))
    #expect(composite.name == "composite")
    #expect(composite.decomposition == -7)
    #expect(composite.attributes == [9, 8])
    #expect(composite.version == 2)

    let random = FlatTable([0: .int(Int64.max), 1: .int(Int64(-1))]).serialized(identifier: "TEST")
    let seeds = try RandomOptions(try Table(root: random.span))
    #expect(seeds.seed == .max)
    #expect(seeds.seed2 == -1)

    let dot = FlatTable([4: .ints([UInt32(2), 0])]).serialized(identifier: "TEST")
    #expect(
      try StablehloDotGeneralOptions(try Table(root: dot.span)).precisions == [.highest, .default])
    let wrong = FlatTable([4: .ints([UInt32(3)])]).serialized(identifier: "TEST")
    #expect(throws: FlatBufferError.self) {
      try StablehloDotGeneralOptions(try Table(root: wrong.span))
    }
  }
}
