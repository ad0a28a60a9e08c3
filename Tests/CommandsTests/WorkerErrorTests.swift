// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import Foundation
import JSONDocuments
import Martlet
import TestSupport
import Testing

/// Errors of martlet worker.
@Suite struct WorkerErrorTests {
  struct Row: CustomTestStringConvertible {
    let line: String
    let code: String
    let message: String
    var id: JSON = 1
    var testDescription: String { String(line.prefix(60)) }
  }

  private static let badRequests: [Row] = [
    Row(
      line: "{\"path\"", code: "bad_json",
      message: "no JSON document: wanted ':' (line 1, byte 7)"),
    Row(
      line: "nonsense", code: "bad_json",
      message: "no JSON document: wanted a value (line 1, byte 0)"),
    Row(
      line: "{\"id\": 3} x", code: "bad_json",
      message: "no JSON document: text after the document (line 1, byte 10)"),
    Row(
      line: String(repeating: "[", count: 100_000), code: "bad_json",
      message: "no JSON document: nested too deeply (line 1, byte 64)"),
    Row(
      line: String(repeating: "{\"a\":", count: 100_000), code: "bad_json",
      message: "no JSON document: nested too deeply (line 1, byte 320)"),
    Row(line: "[1]", code: "bad_request", message: "wanted a JSON object (line 1)"),
    Row(
      line: "{\"id\": \"x\"}", code: "bad_request",
      message: "wanted one of 'path', 'image_base64', 'inputs', not none (line 1)", id: "x"),
    Row(
      line: "{\"id\": \"x\", \"path\": \"a\", \"inputs\": []}", code: "bad_request",
      message: "wanted one of 'path', 'image_base64', 'inputs', not 2 (line 1)", id: "x"),
    Row(
      line: "{\"id\": [2], \"path\": \"a\"}", code: "bad_request",
      message: "'id' is neither a string nor a number whose digits are kept (line 1)"),
    Row(
      line: "{\"id\": 18446744073709551615, \"path\": \"a\"}", code: "bad_request",
      message: "'id' is neither a string nor a number whose digits are kept (line 1)"),
    Row(
      line: "{\"id\": null, \"path\": \"a\"}", code: "bad_request",
      message: "'id' is neither a string nor a number whose digits are kept (line 1)"),
    Row(
      line: "{\"id\": 5, \"path\": 7}", code: "bad_request",
      message: "'path' is no string (line 1)", id: 5),
    Row(
      line: "{\"id\": 5, \"paht\": \"a\"}", code: "bad_request",
      message: "unknown member 'paht' (line 1)", id: 5),
    Row(
      line: "{\"path\": \"a\", \"path\": \"b\"}", code: "bad_request",
      message: "member 'path' is there twice (line 1)"),
    Row(
      line: "{\"path\": \"a\", \"outputs\": []}", code: "bad_request",
      message: "'outputs' goes with 'inputs' (line 1)"),
    Row(
      line: "{\"image_base64\": \"*\"}", code: "bad_request",
      message: "'image_base64' is no base64 (line 1)"),
    Row(
      line: "{\"inputs\": []}", code: "bad_request",
      message: "'inputs' goes with --task run, wanted an image (--task label)"),
    Row(
      line: "{\"path\": \"/none/x.png\"}", code: "not_found",
      message: "cannot read: No such file or directory (/none/x.png)"),
    Row(
      line: "{\"path\": \"-\"}", code: "not_found",
      message: "cannot read: No such file or directory (-)"),
    Row(line: "{\"path\": \"/\"}", code: "not_found", message: "cannot read: Is a directory (/)"),
    Row(
      line: "{\"path\": \"a\\u0000b\"}", code: "not_found",
      message: "cannot read: No such file or directory (a\\0b)"),
    Row(
      line: "{\"path\": \"/dev/zero\"}", code: "not_found",
      message: "cannot read: not a regular file (/dev/zero)"),
    Row(
      line: "[" + String(repeating: "0,", count: 1 << 22) + "0]", code: "bad_json",
      message: "no JSON document: more than 4194304 values (line 1, byte 8388607)"),
    Row(line: "{\"image_base64\": \"AAAA\"}", code: "bad_image", message: ""),
    Row(line: "{\"image_base64\": \"\"}", code: "bad_image", message: ""),
  ]

  @Test(arguments: badRequests)
  func `requests that cannot be answered`(row: Row) throws {
    let console = CapturedConsole()
    #expect(console.work("--keep-going", lines: [row.line]) == 0)
    let answer = try #require(try console.answers.first)
    #expect(answer.members?.map(\.key) == ["id", "error"])
    #expect(answer["id"] == row.id)
    #expect(answer["error"]?["code"] == .string(row.code))
    let message = try #require(answer["error"]?["message"]?.string)
    if row.message.isEmpty {
      #expect(!message.isEmpty)
    } else {
      #expect(message == row.message)
    }
  }

  private static let floats = Goldens.path("RESHAPE/f32_operand")

  private static func tensor(
    _ name: String = "input", _ shape: String = "[2]", _ datatype: String = "FP32",
    _ data: String = "[1, 2]"
  ) -> String {
    #"{"name": "\#(name)", "shape": \#(shape), "datatype": "\#(datatype)", "data": \#(data)}"#
  }

  private static let badTensors: [Row] = [
    Row(line: "7", code: "bad_request", message: "'inputs' is no list (line 1)"),
    Row(line: "[7]", code: "bad_request", message: "wanted a JSON object (line 1, inputs[0])"),
    Row(
      line: "[{\"shape\": [1]}]", code: "bad_request",
      message: "no 'name' that is a string (line 1, inputs[0])"),
    Row(
      line: "[\(tensor("x", "[2]", "FLOAT"))]", code: "bad_request",
      message: "no 'datatype' out of BOOL, UINT8, UINT16, UINT32, UINT64, INT8, INT16, INT32, "
        + "INT64, FP16, FP32, FP64, BYTES (line 1, inputs[0])"),
    Row(
      line: "[\(tensor("x", "[1.5]"))]", code: "bad_request",
      message: "no 'shape' that is a list of whole numbers (line 1, inputs[0])"),
    Row(line: "[\(tensor("x", "[-1]"))]", code: "bad_tensor", message: ""),
    Row(
      line: "[\(tensor("x", "[4611686018427387904, 4]"))]", code: "bad_tensor", message: ""),
    Row(
      line: "[\(tensor("x", "[3]"))]", code: "bad_tensor",
      message: "2 values in 'data' for shape 3 (line 1, inputs[0])"),
    Row(
      line: "[\(tensor("x", "[2, 2]", "FP32", "[[1, 2], [3]]"))]", code: "bad_tensor",
      message: "the lists in 'data' are not those of 2x2 (line 1, inputs[0])"),
    Row(
      line: "[\(tensor("x", "[1]", "FP32", "5"))]", code: "bad_request",
      message: "no 'data' that is a list (line 1, inputs[0])"),
    Row(line: "[\(tensor("nobody"))]", code: "bad_tensor", message: ""),
    Row(line: "[]", code: "bad_tensor", message: ""),
  ]

  @Test(arguments: badTensors)
  func `tensors that cannot be used`(row: Row) throws {
    let console = CapturedConsole()
    #expect(
      console.work(
        "--task run --keep-going -m \(Self.floats)/model.tflite",
        lines: ["{\"inputs\": \(row.line)}"]) == 0)
    let error = try #require(try console.answers.first?["error"])
    #expect(error["code"] == .string(row.code), "\(error)")
    if !row.message.isEmpty { #expect(error["message"] == .string(row.message)) }
  }

  @Test func `values of wrong types, and shapes that the model cannot compute`() throws {
    let model = Goldens.add + "/model.tflite"
    let names = try WorkerTensorTests.inputNames(of: model)
    func request(_ first: String, _ second: String = "") -> String {
      "{\"inputs\": [\(first)\(second.isEmpty ? "" : ", \(second)")]}"
    }
    let right = Self.tensor(names[1], "[2]")
    let console = CapturedConsole()
    console.work(
      "--task run --keep-going -m \(model)",
      lines: [
        request(Self.tensor(names[0], "[2]", "INT8"), right),
        request(Self.tensor(names[0], "[2]", "FP32", "[1, \"x\"]"), right),
        request(right, right), request(right),
        request(Self.tensor(names[0], "[3]", "FP32", "[1, 2, 3]"), right),
        request(Self.tensor(names[0], "[2]"), right),
      ])
    #expect(
      try console.codes
        == Array(repeating: "bad_tensor", count: 4) + ["inference", nil])
    let messages = try console.answers.map { $0["error"]?["message"]?.string }
    #expect(
      messages[0]
        == "datatype INT8 for a tensor of FLOAT32 (line 1, inputs[0] '\(names[0])')")
    #expect(messages[1] == "data[1] is not a number (line 2, inputs[0] '\(names[0])')")
    // A record that failed leaves nothing behind.
    #expect(try console.answers.last?["outputs"]?.array?[0]["data"] == [.number(2), .number(4)])
  }

  @Test func `lines that are too long are passed over, those behind them are answered`() throws {
    let path = try BundledModels.path(of: BundledModels.digitSamples[4])
    let good = WorkerRecords.lines([WorkerRecords.image("good", path)])
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: 300_000) + Array("\n".utf8)
    let console = CapturedConsole()
    console.input = good + long + good
    #expect(console.run("worker --keep-going --max-line-bytes 1000") == 0)
    #expect(try console.codes == [nil, "too_long", nil])
    #expect(try console.answers[1]["id"] == 2)
    #expect(
      try console.answers[1]["error"]?["message"]
        == "the line has more bytes than --max-line-bytes allows (line 2)")
    // The limit itself is allowed, line break not counted.
    let exact = CapturedConsole()
    exact.input = good + good.dropLast()
    #expect(exact.run("worker --max-line-bytes \(good.count - 1)") == 0)
    #expect(exact.run("worker --keep-going --max-line-bytes \(good.count - 2)") == 0)
    #expect(try exact.codes == [nil, nil, "too_long", "too_long"])
  }

  @Test func `nobody waits for a pipe that should be an image, an input or a model`() throws {
    let model = "\(Self.floats)/model.tflite"
    for task in ["label", "run -m \(model)"] {
      let console = CapturedConsole()
      let pipe = "\(console.folder)/pipe"
      try #require(unsafe mkfifo(pipe, 0o600) == 0)
      #expect(console.work("--keep-going --task \(task)", [WorkerRecords.image(1, pipe)]) == 0)
      #expect(
        try console.answers.first?["error"]?["message"]
          == .string("cannot read: not a regular file (\(pipe))"))
      #expect(throws: InferenceError.self) { try Model(path: pipe) }
    }
  }

  @Test func `the first failure ends the run, unless it is to go on`() throws {
    var records = try WorkerRecords.digits(12)
    records[5] = WorkerRecords.image(5, "/none")
    for options in ["", "--jobs 3", "--jobs 3 --unordered"] {
      let console = CapturedConsole()
      #expect(console.work(options, records) == 1)
      let answers = try console.answers
      let ids = answers.compactMap { $0["id"]?.integer }
      if options.contains("unordered") {
        #expect(Set(ids).isSuperset(of: 0...5))
      } else {
        #expect(ids == Array(0...5))
      }
      #expect(answers.count { $0["error"] != nil } == 1)
    }
    let patient = CapturedConsole()
    #expect(patient.work("--keep-going", records) == 0)
    #expect(try patient.answers.count == 12)
    #expect(try patient.codes.compactMap(\.self) == ["not_found"])
  }
}
