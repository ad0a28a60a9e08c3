// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import GoldenCases
import JSONDocuments
import Martlet
import Npy
import TestSupport
import Testing

/// Tensors of martlet worker.
@Suite struct WorkerTensorTests {
  /// The names of a model's inputs.
  static func inputNames(of model: String) throws -> [String] {
    try Interpreter(Model.ofGoldens(at: model)).inputs.map(\.name)
  }

  /// The datatype of a model's input, as the protocol calls what npy files call otherwise.
  private static let datatypes = [
    "bool": "BOOL", "uint8": "UINT8", "uint16": "UINT16", "uint32": "UINT32", "uint64": "UINT64",
    "int8": "INT8", "int16": "INT16", "int32": "INT32", "int64": "INT64", "float16": "FP16",
    "float32": "FP32", "float64": "FP64",
  ]

  /// The arrays `in_0.npy`, `in_1.npy`… of a golden case as tensors of a request.
  private static func request(of golden: String) throws -> JSON {
    let names = try inputNames(of: "\(golden)/model.tflite")
    let tensors = try names.enumerated().map { position, name in
      let array = try NpyArray(contentsOf: "\(golden)/in_\(position).npy")
      return JSON.record([
        "name": .string(name), "shape": .array(array.shape.dimensions.map { .integer($0) }),
        "datatype": .string(datatypes["\(array.elementType)"] ?? "BYTES"),
        "data": .array(array.jsonValues(limit: .max)), "parameters": .object([]),
      ])
    }
    return .record(["id": "golden", "parameters": .object([]), "inputs": .array(tensors)])
  }

  @Test(arguments: [
    "bool", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f16", "f32", "f64", "str",
    "i4",
  ])
  func `of every datatype go through a model`(type: String) throws {
    let golden = Goldens.path("RESHAPE/\(type)_operand")
    let console = CapturedConsole()
    let request = try Self.request(of: golden)
    // Twice: the second time on an interpreter that has run.
    #expect(
      console.work("--task run --no-timing -m \(golden)/model.tflite", [request, request]) == 0,
      "\(console.text)")
    let expected = try NpyArray(contentsOf: "\(golden)/out_0.npy")
    for answer in try console.answers {
      let outputs = try #require(answer["outputs"]?.array)
      #expect(outputs.count == 1)
      #expect(outputs[0].members?.map(\.key) == ["name", "shape", "datatype", "data"])
      #expect(outputs[0]["shape"] == .array(expected.shape.dimensions.map { .integer($0) }))
      #expect(outputs[0]["datatype"] == request["inputs"]?.array?[0]["datatype"])
      let data = try #require(outputs[0]["data"])
      #expect(data.compactText == JSON.array(expected.jsonValues(limit: .max)).compactText)
    }
  }

  @Test func `numbers that JSON lacks are words, and large ones strings of digits`() throws {
    let floats = Goldens.path("RESHAPE/f32_operand")
    let integers = Goldens.path("RESHAPE/u64_operand")
    for (golden, special) in [
      (floats, ["NaN", "Infinity", "-Infinity"]), (integers, ["18446744073709551615"]),
    ] {
      let request = try Self.request(of: golden)
      var tensors = try #require(request["inputs"]?.array)
      var data = try #require(tensors[0]["data"]?.array)
      data.replaceSubrange(0..<special.count, with: special.map { .string($0) })
      tensors[0] = .object(
        (tensors[0].members ?? []).map {
          $0.key == "data" ? JSON.Member("data", .array(data)) : $0
        })
      let console = CapturedConsole()
      #expect(
        console.work(
          "--task run -m \(golden)/model.tflite", [["inputs": .array(tensors)]]) == 0)
      let answer = try #require(try console.answers[0]["outputs"]?.array?[0]["data"]?.array)
      #expect(answer.prefix(special.count).map(\.string) == special)
    }
  }

  @Test func `the values are those of martlet run, in lists as deep as the shape too`() throws {
    let model = Goldens.add + "/model.tflite"
    let alone = CapturedConsole()
    #expect(
      alone.run("run \(model) -i \(Goldens.add)/in_0.npy -i \(Goldens.add)/in_1.npy --json") == 0)
    let expected = try JSON(parsing: alone.output)["outputs"]?.array?[0]["values"]
    let flat = try Self.request(of: Goldens.add)
    let nested = JSON.record([
      "inputs": .array(
        (flat["inputs"]?.array ?? []).map { tensor in
          let shape = tensor["shape"]?.array?.compactMap(\.integer) ?? []
          return .object(
            (tensor.members ?? []).map { member in
              member.key == "data"
                ? JSON.Member("data", Self.nested(member.value.array ?? [], shape[...])) : member
            })
        })
    ])
    let console = CapturedConsole()
    #expect(console.work("--task run -m \(model)", [flat, nested]) == 0, "\(console.text)")
    for answer in try console.answers {
      #expect(answer["outputs"]?.array?[0]["data"] == expected)
    }
  }

  /// Values in lists as deep as the shape.
  private static func nested(_ values: [JSON], _ shape: ArraySlice<Int>) -> JSON {
    guard shape.count > 1, let count = shape.first, count > 0 else { return .array(values) }
    let length = values.count / count
    return .array(
      (0..<count).map {
        nested(Array(values[$0 * length..<($0 + 1) * length]), shape.dropFirst())
      })
  }

  @Test func `files and images are inputs too`() throws {
    let model = try BundledModels.path(of: BundledModels.digits)
    let image = try BundledModels.path(of: BundledModels.digitSamples[3])
    let alone = CapturedConsole()
    #expect(alone.run("run \(model) -i \(image) --json") == 0)
    let expected = try JSON(parsing: alone.output)["outputs"]?.array?[0]["values"]
    let console = CapturedConsole()
    try console.put([1, 2, 3], "short.raw")
    try console.put(Array("not npy".utf8), "bad.npy")
    try console.put(Array("no image".utf8), "bad.png")
    let records = [image, "short.raw", "bad.npy", "bad.png", "none.npy"].map {
      WorkerRecords.image(nil, $0.hasPrefix("/") ? $0 : "\(console.folder)/\($0)")
    }
    #expect(console.work("--task run --keep-going -m \(model)", records) == 0)
    #expect(try console.answers[0]["outputs"]?.array?[0]["data"] == expected)
    #expect(
      try console.codes == [nil, "bad_tensor", "bad_tensor", "bad_image", "not_found"])
  }

  @Test func `outputs may be chosen`() throws {
    let model = Goldens.add + "/model.tflite"
    let name = try Interpreter(Model.ofGoldens(at: model)).outputs[0].name
    let request = try Self.request(of: Goldens.add)
    let wanted: [JSON] = [
      [["name": .string(name)]], [], [["name": "nobody"]], "all", [["nome": "x"]], [[:]],
    ]
    let console = CapturedConsole()
    #expect(
      console.work(
        "--task run --keep-going -m \(model)", wanted.map { request.adding(["outputs": $0]) }) == 0)
    #expect(try console.answers.map { $0["outputs"]?.array?.count } == [1, 0, nil, nil, nil, nil])
    #expect(try console.codes.compactMap(\.self) == Array(repeating: "bad_request", count: 4))
  }

  @Test func `no record sees what another left in variables or shapes`() throws {
    let golden = Goldens.path("SVDF/f32_rank_1")
    let request = try Self.request(of: golden)
    let console = CapturedConsole()
    #expect(
      console.work("--task run --no-timing -m \(golden)/model.tflite", [request, request, request])
        == 0, "\(console.text)")
    let outputs = try console.answers.map { $0["outputs"] }
    #expect(outputs.count == 3 && outputs[0] != nil)
    #expect(outputs.allSatisfy { $0 == outputs[0] })
  }
}
