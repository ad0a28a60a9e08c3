// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Foundation
import MLKit
import Testing

/// `[1, 32, 32, 3]` → `[1, 10]` in one of its formats.
func digitsModel(_ format: String) throws -> CustomLocalModel {
  CustomLocalModel(modelPath: try BundledModels.path(of: "digits/digits_\(format).tflite"))
}

/// Custom model interpreter.
@Suite struct ModelInterpreterTests {
  static let shape: [NSNumber] = [1, 32, 32, 3]
  static let byteCount = 32 * 32 * 3 * 4

  /// The formats of the model of floats.
  private func makeOptions() throws -> ModelInputOutputOptions {
    let options = ModelInputOutputOptions()
    try options.setInputFormat(index: 0, type: .float32, dimensions: Self.shape)
    try options.setOutputFormat(index: 0, type: .float32, dimensions: [1, 10])
    return options
  }

  private func makeInputs(_ values: Any...) throws -> ModelInputs {
    let inputs = ModelInputs()
    for value in values { try inputs.addInput(value) }
    return inputs
  }

  /// The error of a run.
  private func failure(
    _ inputs: ModelInputs, _ options: ModelInputOutputOptions, format: String = "float32"
  ) async throws -> NSError {
    let interpreter = ModelInterpreter.modelInterpreter(localModel: try digitsModel(format))
    do {
      _ = try await interpreter.run(inputs: inputs, options: options)
    } catch {
      return error as NSError
    }
    throw CocoaError(.featureUnsupported)
  }

  @Test func `data, nested arrays of numbers and of Swift's own floats mean the same`() async throws
  {
    let floats = (0..<32 * 32 * 3).map { Float($0 % 7) / 7 }
    let data = unsafe floats.withUnsafeBufferPointer { unsafe Data(buffer: $0) }
    let rows = (0..<32).map { row in
      (0..<32).map { column in Array(floats[(row * 32 + column) * 3..<(row * 32 + column) * 3 + 3])
      }
    }
    let numbers = rows.map { $0.map { $0.map { NSNumber(value: $0) } } }
    let interpreter = ModelInterpreter.modelInterpreter(localModel: try digitsModel("float32"))
    var results: [[Float]] = []
    for value in [data, NSData(data: data), [rows], [numbers], NSArray(array: [numbers])] as [Any] {
      let outputs = try await interpreter.run(
        inputs: makeInputs(value), options: makeOptions())
      results.append(try outputs.scalars(index: 0))
      let nested = try #require(try outputs.output(index: 0) as? [[NSNumber]])
      #expect(nested.count == 1)
      #expect(nested[0].map(\.floatValue) == results.last)
      #expect(try outputs.dimensions(index: 0) == [1, 10])
    }
    #expect(results.allSatisfy { $0 == results[0] })
    #expect(abs(results[0].reduce(0, +) - 1) < 1e-5)
  }

  @Test func `uint8 models give uint8 numbers`() async throws {
    let options = ModelInputOutputOptions()
    try options.setInputFormat(index: 0, type: .uInt8, dimensions: Self.shape)
    try options.setOutputFormat(index: 0, type: .uInt8, dimensions: [1, 10])
    let interpreter = ModelInterpreter.modelInterpreter(localModel: try digitsModel("uint8"))
    let outputs = try await interpreter.run(
      inputs: makeInputs(Data(count: 32 * 32 * 3)), options: options)
    let scores: [UInt8] = try outputs.scalars(index: 0)
    let nested = try #require(try outputs.output(index: 0) as? [[NSNumber]])
    #expect(nested[0].map(\.uint8Value) == scores)
    #expect(throws: NSError.self) { try outputs.scalars(index: 0, as: Float.self) }
    #expect(throws: NSError.self) { try outputs.output(index: 1) }
  }

  @Test func `formats that nothing can have are refused when they are set`() {
    let options = ModelInputOutputOptions()
    let rows: [(ModelElementType, [NSNumber])] = [
      (.unknown, [1]), (.float32, []), (.float32, [1, 0]), (.float32, [1, -3]),
      (.float32, [1.5]), (.float32, [NSNumber(value: Double.nan)]),
      (.float32, [NSNumber(value: 1e300)]),
      (.float32, [NSNumber(value: 1 << 40), NSNumber(value: 1 << 40)]),
    ]
    for (type, dimensions) in rows {
      for set in [options.setInputFormat, options.setOutputFormat] {
        #expect {
          try set(0, type, dimensions)
        } throws: { error in
          let error = error as NSError
          return error.domain == FirebaseMLErrorDomain
            && error.code == MLKitErrorCode.invalidArgument.rawValue
        }
      }
    }
    #expect(throws: Never.self) {
      try options.setInputFormat(index: 0, type: .float32, dimensions: [NSNumber(value: 1.0), 2])
    }
  }

  @Test func `values that are neither data nor arrays are refused when they are added`() {
    for value in [1, "text", NSNumber(value: 2), Date()] as [Any] {
      #expect(throws: NSError.self) { try ModelInputs().addInput(value) }
    }
  }

  /// What is wrong with a run of the model of floats, and the code and text of the error.
  struct Mistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: MLKitErrorCode
    let text: String
    let change: @Sendable (ModelInputs, ModelInputOutputOptions) throws -> Void

    init(
      _ description: String, _ code: MLKitErrorCode, _ text: String,
      _ change: @escaping @Sendable (ModelInputs, ModelInputOutputOptions) throws -> Void
    ) {
      testDescription = description
      self.code = code
      self.text = text
      self.change = change
    }
  }

  static let zeros = Data(count: byteCount)

  static let mistakes: [Mistake] = [
    Mistake("no formats", .invalidArgument, "There are no input formats.") { inputs, _ in
      try inputs.addInput(zeros)
    },
    Mistake("no output formats", .invalidArgument, "There are no output formats.") {
      inputs, options in
      try inputs.addInput(zeros)
      try options.setInputFormat(index: 0, type: .float32, dimensions: shape)
    },
    Mistake("too few inputs", .invalidArgument, "There are 0 inputs, but 1 input formats.") {
      _, options in
      try options.setInputFormat(index: 0, type: .float32, dimensions: shape)
      try options.setOutputFormat(index: 0, type: .float32, dimensions: [1, 10])
    },
    Mistake(
      "too few bytes", .invalidArgument, "Input 0 should have 12288 bytes, but found 3 bytes."
    ) { inputs, options in
      try inputs.addInput(Data(count: 3))
      try options.setInputFormat(index: 0, type: .float32, dimensions: shape)
      try options.setOutputFormat(index: 0, type: .float32, dimensions: [1, 10])
    },
    Mistake("input index", .outOfRange, "There is no input 4: the model has 1.") {
      inputs, options in
      try inputs.addInput(zeros)
      try options.setInputFormat(index: 4, type: .float32, dimensions: shape)
      try options.setOutputFormat(index: 0, type: .float32, dimensions: [1, 10])
    },
    Mistake("output index", .outOfRange, "There is no output 9: the model has 1.") {
      inputs, options in
      try inputs.addInput(zeros)
      try options.setInputFormat(index: 0, type: .float32, dimensions: shape)
      try options.setOutputFormat(index: 9, type: .float32, dimensions: [1, 10])
    },
    Mistake("input type", .invalidArgument, "Input 0 is FLOAT32, but its format says uInt8.") {
      inputs, options in
      try inputs.addInput(Data(count: 3072))
      try options.setInputFormat(index: 0, type: .uInt8, dimensions: shape)
      try options.setOutputFormat(index: 0, type: .float32, dimensions: [1, 10])
    },
    Mistake(
      "input dimensions", .invalidArgument,
      "Input 0 has dimensions [-1, 32, 32, 3], but its format says [1, 64, 16, 3]."
    ) { inputs, options in
      try inputs.addInput(zeros)
      try options.setInputFormat(index: 0, type: .float32, dimensions: [1, 64, 16, 3])
      try options.setOutputFormat(index: 0, type: .float32, dimensions: [1, 10])
    },
    Mistake(
      "array dimensions", .invalidArgument,
      "Input 0 has dimensions [2], but its format says [1, 32, 32, 3]."
    ) { inputs, options in
      try inputs.addInput([1, 2])
      try options.setInputFormat(index: 0, type: .float32, dimensions: shape)
      try options.setOutputFormat(index: 0, type: .float32, dimensions: [1, 10])
    },
    Mistake("ragged arrays", .invalidArgument, "arrays of 2 and of 1 elements on one level") {
      inputs, options in
      try inputs.addInput([[1, 2], [3]])
      try options.setInputFormat(index: 0, type: .float32, dimensions: shape)
      try options.setOutputFormat(index: 0, type: .float32, dimensions: [1, 10])
    },
    Mistake("no numbers", .invalidArgument, "an element that is no number") { inputs, options in
      try inputs.addInput(["one", "two"])
      try options.setInputFormat(index: 0, type: .float32, dimensions: shape)
      try options.setOutputFormat(index: 0, type: .float32, dimensions: [1, 10])
    },
    Mistake("output type", .invalidArgument, "Output 0 is FLOAT32, but its format says int32.") {
      inputs, options in
      try inputs.addInput(zeros)
      try options.setInputFormat(index: 0, type: .float32, dimensions: shape)
      try options.setOutputFormat(index: 0, type: .int32, dimensions: [1, 10])
    },
    Mistake(
      "output bytes", .invalidArgument, "Output 0 should have 44 bytes, but found 40 bytes."
    ) { inputs, options in
      try inputs.addInput(zeros)
      try options.setInputFormat(index: 0, type: .float32, dimensions: shape)
      try options.setOutputFormat(index: 0, type: .float32, dimensions: [1, 11])
    },
    Mistake(
      "output dimensions", .invalidArgument,
      "Output 0 has dimensions [1, 10], but its format says [10]."
    ) { inputs, options in
      try inputs.addInput(zeros)
      try options.setInputFormat(index: 0, type: .float32, dimensions: shape)
      try options.setOutputFormat(index: 0, type: .float32, dimensions: [10])
    },
  ]

  @Test(arguments: mistakes)
  func `every mistake has its error`(_ mistake: Mistake) async throws {
    let inputs = ModelInputs()
    let options = ModelInputOutputOptions()
    try mistake.change(inputs, options)
    let error = try await failure(inputs, options)
    #expect(error.domain == FirebaseMLErrorDomain)
    #expect(error.code == mistake.code.rawValue)
    #expect(error.localizedDescription.contains(mistake.text))
  }

  @Test(arguments: [-1, 256, 0.5, Double.nan])
  func `numbers that the type cannot hold are refused`(value: Double) async throws {
    let options = ModelInputOutputOptions()
    try options.setInputFormat(index: 0, type: .uInt8, dimensions: Self.shape)
    try options.setOutputFormat(index: 0, type: .uInt8, dimensions: [1, 10])
    let pixel = [NSNumber(value: value), 0, 0]
    let image = [[[NSNumber]]](
      repeating: [[NSNumber]](repeating: pixel, count: 32), count: 32)
    let error = try await failure(makeInputs([image]), options, format: "uint8")
    #expect(error.code == MLKitErrorCode.invalidArgument.rawValue)
    #expect(error.localizedDescription.contains("which is no uInt8"))
  }

  @Test
  func `a missing file is an error of the first run, and a remote model that is not downloaded`()
    async throws
  {
    let interpreters = [
      ModelInterpreter.modelInterpreter(localModel: CustomLocalModel(modelPath: "/no/such.tflite")),
      ModelInterpreter.modelInterpreter(remoteModel: CustomRemoteModel(name: "not-downloaded-7")),
    ]
    for interpreter in interpreters {
      do {
        _ = try await interpreter.run(inputs: makeInputs(Self.zeros), options: makeOptions())
        Issue.record("a run without a model")
      } catch {
        #expect((error as NSError).code == MLKitErrorCode.notFound.rawValue)
      }
    }
    let notAModel = ModelInterpreter.modelInterpreter(
      localModel: CustomLocalModel(modelPath: #filePath))
    do {
      _ = try await notAModel.run(inputs: makeInputs(Self.zeros), options: makeOptions())
      Issue.record("a run of a source file")
    } catch {
      #expect(
        (error as NSError).localizedDescription.hasPrefix(
          "Failed to create a TFLite interpreter for the given model"))
    }
  }

  @Test func `inputs and outputs have names`() async throws {
    let interpreter = ModelInterpreter.modelInterpreter(localModel: try digitsModel("float32"))
    #expect(try await interpreter.inputIndex(opName: "serving_default_picture:0") == 0)
    #expect(try await interpreter.outputIndex(opName: "StatefulPartitionedCall_1:0") == 0)
    await #expect(throws: NSError.self) { try await interpreter.inputIndex(opName: "other") }
  }

  @Test func `many threads may use one interpreter`() async throws {
    let interpreter = ModelInterpreter.modelInterpreter(localModel: try digitsModel("float32"))
    let results = try await withThrowingTaskGroup(of: [Float].self) { group in
      for _ in 0..<16 {
        group.addTask {
          try await interpreter.run(
            inputs: makeInputs(Self.zeros), options: makeOptions()
          ).scalars(index: 0)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count == 16)
    #expect(Set(results).count == 1)
  }
}
