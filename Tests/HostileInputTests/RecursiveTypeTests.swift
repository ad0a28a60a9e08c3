// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Foundation
import JSONDocuments
import Martlet
import ModelSchema
import TestSupport
import Testing

/// Files that declare a value in a value in a value, for each recursive type that a file decides
/// the depth of: `JSON`, `FlexValue`, and subgraphs that call subgraphs.
///
/// The depth of `Markup`, `SchemaKind` and `typedVector` follows from the sources.
@Suite struct RecursiveTypeTests {
  /// Something that nests.
  enum Nesting: String, CaseIterable, CustomTestStringConvertible {
    case lists, objects, vectors, calls

    var testDescription: String { rawValue }

    /// A file of so many of them in each other.
    func file(_ depth: Int) -> [UInt8] {
      switch self {
      case .lists: Self.repeated("[", depth) + Self.repeated("]", depth)
      case .objects: Self.repeated(#"{"a":"#, depth) + [0x31] + Self.repeated("}", depth)
      case .vectors: Self.vectors(depth)
      case .calls: Self.calls(depth).bytes
      }
    }

    /// Reads a file; what is wrong with it ends in an error.
    func read(_ file: [UInt8]) throws {
      switch self {
      case .lists, .objects: _ = try JSON(parsing: file)
      case .vectors: _ = try FlexBuffers.decode(file.span)
      case .calls:
        let interpreter = try Interpreter(Model(bytes: file))
        try interpreter.prepare()
        try interpreter.invoke()
      }
    }

    private static func repeated(_ text: String, _ count: Int) -> [UInt8] {
      Array(repeatElement(Array(text.utf8), count: count).joined())
    }

    /// Vectors of one element, each of which is the one before.
    private static func vectors(_ depth: Int) -> [UInt8] {
      var bytes: [UInt8] = [0, 0]
      for level in 0..<depth { bytes += [1, level == 0 ? 0 : 3, level == 0 ? 0 : 40] }
      return bytes + [2, 40, 1]
    }

    /// Subgraphs, each of which calls the next one.
    private static func calls(_ depth: Int) -> DrawnModel {
      var model = DrawnModel()
      model.graphs = [DrawnModel.Graph](repeating: DrawnModel.Graph(), count: depth)
      for graph in 0..<depth {
        let condition = model.tensor([], .bool, graph: graph)
        let input = model.tensor([4], graph: graph)
        let output = model.tensor([4], graph: graph)
        model.graphs[graph].inputs = [condition, input]
        model.graphs[graph].outputs = [output]
        guard graph + 1 < depth else {
          model.node(.neg, [input], [output], graph: graph)
          continue
        }
        let next = FlatField.int(Int32(graph + 1))
        model.node(
          .if, [condition, condition, input], [output], options: (92, [0: next, 1: next]),
          graph: graph)
      }
      return model
    }
  }

  @Test(arguments: Nesting.allCases, [10, 1000, 100_000, 1_000_000])
  func `depth ends in a value or an error, on a stack of 512 KiB`(of nesting: Nesting, _ depth: Int)
    async throws
  {
    // A million subgraphs are beyond what a model file may hold in tables.
    let file = nesting.file(nesting == .calls ? min(depth, 100_000) : depth)
    let isRefused = await withCheckedContinuation { continuation in
      let thread = Thread {
        let outcome = Result { try nesting.read(file) }
        if case .failure = outcome {
          continuation.resume(returning: true)
        } else {
          continuation.resume(returning: false)
        }
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(isRefused == (depth > 10))
  }
}
