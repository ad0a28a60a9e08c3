// SPDX-License-Identifier: Apache-2.0

import Explanations
import FileAccess
import GoldenCases
import Martlet
import Npy
import Testing

extension Explainer {
  /// An explainer of the model of a golden case, which has run on the case's inputs.
  ///
  /// - Parameters:
  ///   - folder: the case's folder.
  ///   - rounding: how to round where the case does not say.
  ///   - invocations: how many of the case's invocations to run; those that it has, at the most.
  /// - Throws: where the case cannot be read or the model cannot be run.
  convenience init(
    goldenIn folder: String, rounding: Rounding = .double, invocations: Int = 1
  ) throws {
    let golden = try GoldenCase(in: folder)
    var options = Interpreter.Options()
    options.rounding = golden.rounding ?? rounding
    try self.init(
      try Model.ofGoldens(at: golden.model), signature: golden.signature, options: options)
    for (name, shape) in golden.shapes {
      let position = try #require(interpreter.inputPosition(named: name))
      try interpreter.resizeInput(position, to: shape)
    }
    for step in golden.steps.prefix(invocations) {
      var arrays: [(position: Int, array: NpyArray)] = []
      for (position, info) in interpreter.inputs.enumerated() {
        for name in [info.argument, "\(position)"].compactMap(\.self) {
          let file = "\(step)/in_\(name).npy"
          guard Folder.kind(of: file) == .file else { continue }
          arrays.append((position, try NpyArray(contentsOf: file)))
          break
        }
      }
      try interpreter.setInputs(arrays)
      try run()
    }
  }
}
