// SPDX-License-Identifier: Apache-2.0

import Martlet
import ModelFormat
import Testing

/// Models of tasks whose bytes are broken, and bundles that are none.
@Suite struct TaskHostileTests {
  static let models: [@Sendable () -> SmallTaskModel] = [
    { .classes() }, { .pixels(isSegmenter: true) }, { .pixels(isSegmenter: false) }, { .sound() },
    { .words() }, { .answers() },
  ]

  @Test(arguments: models.indices)
  func `broken bytes are findings or errors`(index: Int) throws {
    let bytes = try Self.models[index]().bytes()
    let console = CapturedConsole()
    for position in stride(from: index, to: bytes.count, by: 211) {
      for value in [0, 0xFF] as [UInt8] {
        var broken = bytes
        broken[position] = value
        try console.put(broken, "m.tflite")
        let code = console.run("check DIR/m.tflite")
        #expect([0, 1].contains(code), "byte \(position)")
        #expect([0, 65].contains(console.run("inspect DIR/m.tflite --json")), "byte \(position)")
      }
    }
  }

  @Test func `vocabularies of another kind are findings`() throws {
    var model = SmallTaskModel.words().changed { graph in
      graph.inputs[0].processUnits = [
        .sentencePieceTokenizer(
          SentencePieceTokenizerOptions(
            modelFiles: [AssociatedFile(name: "vocab.txt", kind: .unknown)]))
      ]
    }
    model.files[0].text = String(repeating: "\u{8}\u{FF}", count: 100)
    let console = CapturedConsole()
    try model.put("m.tflite", console)
    #expect(console.run("check DIR/m.tflite --task read") == 1)
    #expect(console.text.contains("[vocabulary]"))
  }

  @Test(arguments: ["check", "inspect"])
  func `bundles that are damaged are errors in a line`(command: String) throws {
    let console = CapturedConsole()
    try console.put(Array("PK\u{5}\u{6}".utf8) + [UInt8](repeating: 0xFF, count: 18), "x.task")
    try console.put([], "empty.task")
    for name in ["x", "empty"] {
      #expect([1, 65].contains(console.run("\(command) DIR/\(name).task")))
    }
    #expect(console.run("\(command) DIR/none.task") == 66, "\(console.errors)")
  }
}
