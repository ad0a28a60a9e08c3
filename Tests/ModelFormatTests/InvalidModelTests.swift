// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import ModelFormat
import Testing

/// Models that must be refused.
@Suite struct InvalidModelTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let message: String
    let change: @Sendable (inout SmallModel) -> Void
    var testDescription: String { message }

    init(_ message: String, _ change: @escaping @Sendable (inout SmallModel) -> Void) {
      self.message = message
      self.change = change
    }
  }

  static let rows = [
    Row("schema version 2 is not supported, only 3 is") { $0.version = 2 },
    Row("subgraph 0 › operator 0 CONV_2D › input 2: index 5 is out of range 0..<5") {
      $0.convolution.fields[1] = .ints([Int32(0), 1, 5])
    },
    Row("subgraph 0 › operator 0 CONV_2D › input 0: index -2 is out of range 0..<5") {
      $0.convolution.fields[1] = .ints([Int32(-2)])
    },
    Row("subgraph 0 › operator 1 Mine › output 0: a tensor is required here") {
      $0.custom.fields[2] = .ints([Int32(-1)])
    },
    Row("subgraph 0 › operator 1 Mine › intermediate 0: index 9 is out of range 0..<5") {
      $0.custom.fields[8] = .ints([Int32(9)])
    },
    Row("subgraph 0 › input 0: a tensor is required here") { $0.inputs = [-1] },
    Row("subgraph 0 › output 1: index 5 is out of range 0..<5") { $0.outputs = [4, 5] },
    Row("subgraph 0 › tensor 0 input › buffer 2: index 2 is out of range 0..<2") {
      $0.tensors[0].fields[2] = .int(UInt32(2))
    },
    Row("signature 0 serving_default › subgraph 1: index 1 is out of range 0..<1") {
      $0.signature.fields[4] = .int(UInt32(1))
    },
    Row("signature 0 serving_default › input 0: index 77 is out of range 0..<5") {
      $0.signature.fields[0] = .tables([FlatTable([1: .int(UInt32(77))])])
    },
    Row("subgraph 0 › tensor 1 filter: invalid quantization: 2 scales but 1 zero points") {
      $0.quantize([2: .floats([1, 2]), 3: .ints([Int64(0)])])
    },
    Row(
      "subgraph 0 › tensor 1 filter: invalid quantization: 3 scales for 2 slices along dimension 0"
    ) {
      $0.quantize([2: .floats([1, 2, 3]), 3: .ints([Int64(0), 0, 0])])
    },
    Row(
      "subgraph 0 › tensor 1 filter: invalid quantization: quantized dimension 4 of a tensor of "
        + "rank 4"
    ) {
      $0.quantize([2: .floats([1]), 3: .ints([Int64(0)]), 6: .int(Int32(4))])
    },
    Row(
      "subgraph 0 › tensor 2 bias: invalid sparsity: 1 traversed dimensions for rank 1 and 1 block "
        + "dimensions"
    ) {
      let sparsity = FlatTable([0: .ints([Int32(0)]), 1: .ints([Int32(0)])])
      $0.tensors[2].fields[6] = .table(sparsity)
    },
  ]

  @Test(arguments: rows)
  func `the message says where and why`(row: Row) {
    let error = #expect(throws: ModelError.self) { try SmallModel.parsed(row.change) }
    #expect(error?.description == row.message)
  }

  @Test func `malformed tables are reported with operator or tensor`() {
    let activation = FlatTable([3: .int(Int8(9))])
    let options = #expect(throws: ModelError.self) {
      try SmallModel.parsed { $0.convolution.fields[4] = .table(activation) }
    }
    #expect(options?.path == [.subgraph(0), .operator(0, name: "CONV_2D")])
    #expect(options?.description.contains("unknown fused_activation_function 9") == true)

    let shape = #expect(throws: ModelError.self) {
      try SmallModel.parsed { $0.tensors[2].fields[0] = .ints([Int32(-5)]) }
    }
    #expect(shape?.path == [.subgraph(0), .tensor(2, name: "bias")])
    #expect(shape?.description.contains("negative dimension -5") == true)

    let type = #expect(throws: ModelError.self) {
      try SmallModel.parsed { $0.tensors[1].fields[1] = .int(Int8(99)) }
    }
    #expect(type?.description.contains("tensor 1 filter: unknown type 99") == true)

    let opcode = #expect(throws: ModelError.self) {
      try SmallModel.parsed { $0.custom.fields[0] = .int(UInt32(2)) }
    }
    #expect(opcode?.description.contains("operator 1: invalid opcode_index: 2 of 2") == true)
  }

  @Test func `a model without subgraphs is refused`() {
    let bytes = FlatTable([0: .int(UInt32(3))]).serialized(identifier: "TFL3")
    let error = #expect(throws: ModelError.self) { try ModelFile(parsing: bytes.span) }
    #expect(error?.reason == .noSubgraphs)
  }

  @Test func `names from the file are escaped and cut`() {
    let name = "a\u{1b}[31m\n" + String(repeating: "x", count: 1000)
    let error = #expect(throws: ModelError.self) {
      try SmallModel.parsed { model in
        model.tensors[0].fields[3] = .string(name)
        model.tensors[0].fields[2] = .int(UInt32(9))
      }
    }
    let text = error?.description ?? ""
    #expect(text.hasPrefix("subgraph 0 › tensor 0 a\\u{1B}[31m\\nxxx"))
    #expect(text.count < 200)
  }

  static let otherFiles: [(String, [UInt8])] = [
    ("an empty file", []),
    ("a file of only 5 bytes", Array("hello".utf8)),
    ("a zip archive", Array("PK\u{3}\u{4}xxxxxxxx".utf8)),
    ("a zip archive", [0, 0, 0] + Array("PK\u{3}\u{4}xxxxxxxx".utf8)),
    ("an HTML page", Array("\n <!DOCTYPE html><html>".utf8)),
    ("a gzip archive", [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0]),
    ("a Git LFS pointer, not the file itself", Array("version https://git-lfs.github".utf8)),
    ("a JSON document", Array("{ \"model\": 1 }".utf8)),
    ("an HDF5 file, such as a Keras model", [0x89] + Array("HDF\r\n\u{1a}\n".utf8)),
    ("a size-prefixed FlatBuffer", [1, 0, 0, 0, 20, 0, 0, 0] + Array("TFL3".utf8)),
    ("a model of another schema version", [20, 0, 0, 0] + Array("TFL2".utf8)),
    ("a file without the identifier \"TFL3\"", [20, 0, 0, 0, 1, 2, 3, 4, 5]),
  ]

  @Test(arguments: otherFiles)
  func `other kinds of file are called by their name`(name: String, bytes: [UInt8]) {
    let error = #expect(throws: ModelError.self) { try ModelFile(parsing: bytes.span) }
    #expect(error?.reason == .notAModel(found: name))
  }
}

extension SmallModel {
  /// Replaces the filter's quantization.
  fileprivate mutating func quantize(_ fields: [Int: FlatField]) {
    tensors[1].fields[4] = .table(FlatTable(fields))
  }
}
