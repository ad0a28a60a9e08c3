// SPDX-License-Identifier: Apache-2.0

import FileAccess
import GoldenCases
import Martlet
import Npy
import RunComparisons
import TestSupport
import Testing

/// Every operator by itself.
@Suite struct IsolationGoldenTests {
  /// The first cases of an operator: each model is run twice, and then node by node.
  @Test(arguments: Goldens.operators)
  func `gives what it gives in a run`(name: String) throws {
    for path in try GoldenCase.folders(in: Goldens.path(name)).prefix(2) {
      let golden = try GoldenCase(in: path)
      let model = try Model.ofGoldens(at: golden.model)
      func prepared() throws -> Interpreter {
        let interpreter = try Interpreter(model, signature: golden.signature)
        for (name, shape) in golden.shapes {
          try interpreter.resizeInput(
            try #require(interpreter.inputPosition(named: name)), to: shape)
        }
        return interpreter
      }
      let first = try prepared()
      try first.setInputs(
        try first.inputs.enumerated().compactMap { position, info in
          let files = [info.argument, "\(position)"].compactMap(\.self).map {
            "\(path)/in_\($0).npy"
          }
          return try files.first { Folder.kind(of: $0) != nil }.map {
            (position, try NpyArray(contentsOf: $0))
          }
        })
      let run = try RecordedRun(of: first, invocationLimit: 3)
      let second = try prepared()
      #expect(try second.setInputs(from: run).isEmpty, "\(path)")
      var options = ComparisonOptions()
      options.isolation = .every
      options.invocationLimit = 3
      let comparison = try second.compared(with: run, options: options)
      for tensor in comparison.tensors {
        #expect(tensor.cumulative?.differingCount == 0, "\(path) node \(tensor.node)")
        let note = tensor.note ?? ""
        #expect(
          tensor.isolated?.differingCount == 0 || note.hasPrefix("its subgraphs")
            || note.hasSuffix("is a loop's"), "\(path) node \(tensor.node): \(note)")
      }
    }
  }
}
