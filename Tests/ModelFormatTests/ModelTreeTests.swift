// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import ModelFormat
import Testing

/// Model files as trees.
@Suite struct ModelTreeTests {
  private func tree(_ change: (inout SmallModel) -> Void = { _ in }) throws -> ModelTree {
    var model = SmallModel()
    change(&model)
    return try ModelTree(of: model.bytes.span)
  }

  /// The part below that is called or numbered so.
  private func part(_ part: ModelTree.Part, _ path: String...) -> ModelTree.Part? {
    path.reduce(part) { part, step in
      part?.children.first { $0.name == step || ($0.name == nil && "\($0.position)" == step) }
    }
  }

  @Test func `fields have names, values, locations and sizes`() throws {
    let bytes = SmallModel().bytes
    let tree = try ModelTree(of: bytes.span)
    #expect(tree.root.type == "Model" && tree.byteCount == bytes.count)
    let node = try #require(part(tree.root, "subgraphs", "0", "operators", "0"))
    #expect(node.type == "Operator" && node.totalByteCount > node.byteCount)
    let options = try #require(part(node, "builtin_options"))
    #expect(options.type == "Conv2DOptions")
    guard case .number(.name("VALID"))? = part(options, "padding")?.value,
      case .number(.integer(2))? = part(options, "stride_w")?.value,
      case .number(.name("RELU6"))? = part(options, "fused_activation_function")?.value,
      case .number(.name("Conv2DOptions"))? = part(node, "builtin_options_type")?.value,
      case .numbers(3, [.integer(0), .integer(1), .integer(2)])? = part(node, "inputs")?.value
    else {
      Issue.record("values of the convolution")
      return
    }
    let name = try #require(part(tree.root, "subgraphs", "0", "tensors", "1", "name"))
    guard case .text("filter", isCut: false) = name.value else {
      Issue.record("a tensor's name")
      return
    }
    let offset = try #require(name.offset)
    #expect(bytes[offset] == 6 && bytes[offset + 4] == UInt8(ascii: "f"))
    #expect(name.byteCount == 4 + 6 + 1)
  }

  @Test func `bytes of all kinds sum to the file`() throws {
    let tree = try tree()
    #expect(tree.usage.byteCounts.values.reduce(0, +) == tree.byteCount)
    // The one buffer with contents belongs to a metadata entry.
    #expect(tree.usage.byteCounts[.weights] == nil)
    let other = try self.tree { $0.metadata = [] }
    #expect(other.usage.byteCounts[.weights] == 2)
    #expect(other.usage.byteCounts[.metadata] == 4)
  }

  @Test
  func `unknown fields and broken tables are shown at their location, and their siblings too`()
    throws
  {
    let unknown = try tree { $0.tensors[0].fields[14] = .int(UInt32(7)) }
    let field = part(unknown.root, "subgraphs", "0", "tensors", "0")?.children.last
    #expect(field?.position == 14)
    guard case .unknown? = field?.value else {
      Issue.record("a field that the schema lacks")
      return
    }
    var bytes = SmallModel().bytes
    let tree = try ModelTree(of: bytes.span)
    let tensors = try #require(part(tree.root, "subgraphs", "0", "tensors"))
    let element = try #require(tensors.offset) + 4
    for byte in 0..<4 { bytes[element + byte] = 0xff }
    let spoilt = try ModelTree(of: bytes.span)
    let parts = try #require(part(spoilt.root, "subgraphs", "0", "tensors")?.children)
    #expect(parts.count == 5)
    guard case .broken(let error) = parts[0].value, case .parts = parts[1].value else {
      Issue.record("a tensor beyond the file")
      return
    }
    #expect(error.offset > bytes.count)
    #expect(spoilt.usage.byteCounts.values.reduce(0, +) == bytes.count)
  }

  @Test func `a table that many refer to is expanded once`() throws {
    var bytes = SmallModel().bytes
    let tensors = try #require(
      part(try ModelTree(of: bytes.span).root, "subgraphs", "0", "tensors"))
    let vector = try #require(tensors.offset) + 4
    let target = try #require(tensors.children.last?.offset)
    for index in 0..<5 {
      bytes.set(UInt64(target - (vector + 4 * index)), byteCount: 4, at: vector + 4 * index)
    }
    let parts = try #require(
      part(try ModelTree(of: bytes.span).root, "subgraphs", "0", "tensors")?.children)
    #expect(parts[0].children.count > 1)
    for other in parts.dropFirst() {
      guard case .shared = other.value else {
        Issue.record("element \(other.position) is expanded again")
        return
      }
      #expect(other.offset == target && other.totalByteCount == 0)
    }
  }

  @Test func `no more parts than the limit`() throws {
    let bytes = SmallModel().bytes
    let tree = try ModelTree(of: bytes.span, partLimit: 20)
    #expect(tree.isCut)
    func count(_ part: ModelTree.Part) -> Int { part.children.reduce(1) { $0 + count($1) } }
    #expect(count(tree.root) <= 21)
  }

  @Test func `spoilt files give a tree or an error`() throws {
    let bytes = SmallModel().bytes
    for length in 0..<bytes.count {
      let prefix = Array(bytes.prefix(length))
      if let tree = try? ModelTree(of: prefix.span) {
        #expect(tree.usage.byteCounts.values.reduce(0, +) == length)
      }
    }
    for position in bytes.indices {
      for value in [0, 1, 0x7f, 0x80, 0xff] as [UInt8] {
        var changed = bytes
        changed[position] = value
        if let tree = try? ModelTree(of: changed.span) {
          #expect(tree.usage.byteCounts.values.reduce(0, +) == bytes.count)
        }
      }
    }
    #expect(throws: ModelError.self) { try ModelTree(of: [UInt8](repeating: 7, count: 99).span) }
  }
}
