// SPDX-License-Identifier: Apache-2.0

import Commands
import FileAccess
import JSONDocuments
import Npy
import TestSupport
import Testing

/// Martlet run --batch.
@Suite struct BatchTests {
  private let model = Goldens.add + "/model.tflite"
  private let inputs = "\(Goldens.add)/in_0.npy,\(Goldens.add)/in_1.npy"

  @Test func `every line is run, a failing one leaves its error`() throws {
    let console = CapturedConsole()
    let list = """
      \(model)\t\(inputs)\t\(console.folder)/1
      \(console.folder)/none.tflite\t\t\(console.folder)/2\r
      \(model)\t\(inputs)\t\(console.folder)/3\t

      \(model)\t\(Goldens.add)/in_0.npy\t\(console.folder)/4
      \(model)\t\(inputs)\t\(console.folder)/5\tnobody
      \(model)
      \(model)\t\(inputs)\t\(console.folder)/6
      """
    try console.put(Array(list.utf8), "list")
    #expect(console.run("run --batch DIR/list") == 1)
    #expect(
      console.text == "7 runs, 4 failed (optimized kernels, double rounding, 1 thread)\n")
    let expected = try NpyArray(contentsOf: Goldens.add + "/out_0.npy")
    for line in [1, 3, 6] {
      let output = try NpyArray(contentsOf: "\(console.folder)/\(line)/out_0.npy")
      #expect(output.agreement(with: expected).isAgreement)
      #expect(try Folder.names(in: "\(console.folder)/\(line)") == ["out_0.npy"])
    }
    func error(_ line: Int) throws -> String {
      String(
        decoding: try InputFile.bytes(at: "\(console.folder)/\(line)/error.txt"), as: UTF8.self)
    }
    #expect(
      try error(2)
        == "error: cannot read: No such file or directory (\(console.folder)/none.tflite)\n")
    #expect(try error(4).hasPrefix("error: no values for input '"))
    #expect(try error(5) == "error: no signature 'nobody' in \(model) (martlet run)\n")
    #expect(console.errors.split(separator: "\n").count == 4)
    #expect(console.errors.contains("error: line 7 is not MODEL, INPUTS, FOLDER"))
  }

  @Test func `a list of successes ends in 0; standard input may give it`() throws {
    let console = CapturedConsole()
    console.input = Array("\(model)\t\(inputs)\t\(console.folder)/1\n".utf8)
    #expect(console.run("run --batch - --json") == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["schema"] == "martlet/batch/1")
    #expect(document["runs"] == [["output_dir": .string(console.folder + "/1")]])
  }

  @Test func `missing inputs may be made up`() throws {
    let console = CapturedConsole()
    console.input = Array("\(model)\t\t\(console.folder)/1\n".utf8)
    #expect(console.run("run --batch - --fill ones") == 0)
    let output = try NpyArray(contentsOf: console.folder + "/1/out_0.npy")
    #expect(output.values(as: Float.self)?.allSatisfy { $0 == 2 } == true)
  }

  @Test func `a list that is missing is an error of the command`() {
    let console = CapturedConsole()
    #expect(console.run("run --batch DIR/list") == 66)
  }
}
