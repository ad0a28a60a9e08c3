// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Martlet
import Testing

/// Models whose operators cannot be computed: the error says which, where, and what would do.
@Suite struct RefusalTests {
  /// A model of one operator, with one input and one output of two elements.
  struct OneOperator: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var code: Int32 = 0
    var name: String?
    var version: Int32 = 1
    var type: Int8 = 0
    var options: FlatField?
    var inputCount: Int32 = 1

    var bytes: [UInt8] {
      var operatorCode = FlatTable([2: .int(version), 3: .int(code)])
      operatorCode.fields[0] = .int(Int8(min(code, 127)))
      if let name { operatorCode.fields[1] = .string(name) }
      let tensors = (0...inputCount).map { index in
        FlatTable([0: .ints([Int32(2)]), 1: .int(type), 3: .string("t\(index)")])
      }
      let inputs = Array(0..<inputCount)
      let node = FlatTable([1: .ints(inputs), 2: .ints([inputCount])])
      let subgraph = FlatTable([
        0: .tables(tensors), 1: .ints(inputs), 2: .ints([inputCount]), 3: .tables([node]),
      ])
      let root = FlatTable([
        0: .int(UInt32(3)), 1: .tables([operatorCode]), 2: .tables([subgraph]),
        4: .tables([FlatTable()]),
      ])
      return root.serialized(identifier: "TFL3")
    }
  }

  static let rows: [(model: OneOperator, message: String)] = [
    (
      OneOperator(testDescription: "a later version", version: 9, inputCount: 2),
      "version 9, wanted 1 to 6 (subgraph 0 › operator 0 ADD)"
    ),
    (
      OneOperator(testDescription: "version 0", code: 116, version: 0),
      "version 0, wanted 1 to 1 (subgraph 0 › operator 0 ROUND)"
    ),
    (
      OneOperator(testDescription: "a type", code: 92, type: 9),
      "element type INT8 is not supported: SQUARE takes f32 (subgraph 0 › operator 0 SQUARE › input 0 › "
        + "tensor 0 t0)"
    ),
    (
      OneOperator(testDescription: "an operator of TensorFlow", code: 32, name: "FlexErf"),
      "operator FlexErf is not supported: it calls TensorFlow itself; convert the model with "
        + "TensorFlow Lite's own operators only, or register an operator of this name "
        + "(subgraph 0 › operator 0 FlexErf)"
    ),
    (
      OneOperator(testDescription: "somebody's operator", code: 32, name: "Sharpen"),
      "operator Sharpen is not supported: it is a custom operator, which the program that needs "
        + "it must register (subgraph 0 › operator 0 Sharpen)"
    ),
    (
      OneOperator(testDescription: "a code without kernels", code: 199),
      "operator STABLEHLO_SORT is not supported: TensorFlow Lite's runtime has no kernel for it "
        + "either (subgraph 0 › operator 0 STABLEHLO_SORT)"
    ),
    (
      OneOperator(testDescription: "a code of a later schema", code: 1000),
      "operator BUILTIN_1000 is not supported: the schema known here has no such code "
        + "(subgraph 0 › operator 0 BUILTIN_1000)"
    ),
  ]

  @Test(arguments: rows)
  func `what cannot be computed is named`(model: OneOperator, message: String) throws {
    let error = #expect(throws: InferenceError.self) {
      try Interpreter(Model(bytes: model.bytes)).prepare()
    }
    #expect(error?.description == message)
  }

  @Test func `the highest version runs`() throws {
    let model = OneOperator(testDescription: "ADD", version: 6, inputCount: 2)
    let interpreter = try Interpreter(Model(bytes: model.bytes))
    try interpreter.setInput(0, [1, 2] as [Float])
    try interpreter.setInput(1, [3, 4] as [Float])
    try interpreter.invoke()
    #expect(try interpreter.output(0, as: Float.self) == [4, 6])
  }
}
