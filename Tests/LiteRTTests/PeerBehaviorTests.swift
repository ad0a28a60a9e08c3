// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Foundation
import LiteRT
import Testing

/// What LiteRT's `CompiledModel` said, computed and refused when `Tests/LiteRTBehavior/record.py`
/// asked it.
@Suite struct PeerBehaviorTests {
  private struct Recorded: Decodable {
    let models: [String: RecordedModel]
    let outcomes: [String: Int]
  }

  private struct Tensor: Decodable {
    let type: String
    let shape: [Int]
  }

  private struct RecordedModel: Decodable {
    let key: String
    let inputNames: [String]
    let outputNames: [String]
    let inputs: [Tensor]
    let outputs: [Tensor]
    let inputByteCounts: [Int]
    let outputByteCounts: [Int]
    /// None where LiteRT's kernels differ from each other.
    let values: [Values]?
  }

  /// Numbers of a tensor, whose shape does not matter here.
  private struct Values: Decodable {
    let numbers: [Double]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      numbers = try container.decode([Double].self)
    }
  }

  private static func recorded() throws -> Recorded {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("LiteRTBehavior/behavior.json")
    return try JSONDecoder().decode(Recorded.self, from: Data(contentsOf: url))
  }

  /// The script's pattern, as bytes of an element type.
  private static func pattern(_ count: Int, _ type: String) -> Data {
    let numbers = (0..<count).map { $0 * 37 % 251 }
    switch type {
    case "float32":
      return unsafe numbers.map { Float(Double($0) / 125 - 1) }.withUnsafeBytes {
        unsafe Data($0)
      }
    case "uint8": return Data(numbers.map { UInt8($0) })
    default: return Data(numbers.map { UInt8(bitPattern: Int8($0 - 125)) })
    }
  }

  private static func numbers(_ buffer: TensorBuffer, _ type: String) throws -> [Double] {
    switch type {
    case "float32": try (buffer.read() as [Float]).map(Double.init)
    case "uint8": try (buffer.read() as [UInt8]).map(Double.init)
    default: try (buffer.read() as [Int8]).map(Double.init)
    }
  }

  @Test func `models say and compute what LiteRT has of them`() throws {
    let models = try Self.recorded().models
    #expect(models.count == 8)
    #expect(models.values.count { $0.values != nil } >= 7)
    for (path, wanted) in models {
      let model = try CompiledModel(
        filePath: BundledModels.path(of: path), environment: Environment())
      #expect(try model.signatureKeys() == [wanted.key])
      #expect(try model.inputCount() == wanted.inputs.count)
      #expect(try model.outputCount() == wanted.outputs.count)
      let inputs = try model.createInputBuffers()
      for (index, info) in wanted.inputs.enumerated() {
        #expect(try model.inputName(inputIndex: index) == wanted.inputNames[index])
        #expect(try model.getInputTensorLayout(inputIndex: index).dimensions == info.shape)
        #expect(
          try model.getInputBufferRequirements(inputIndex: index).bufferSize
            == wanted.inputByteCounts[index])
        try inputs[index].write(
          [UInt8](Self.pattern(info.shape.reduce(1, *), info.type)))
      }
      let outputs = try model.run(inputs: inputs)
      for (index, info) in wanted.outputs.enumerated() {
        #expect(try model.outputName(outputIndex: index) == wanted.outputNames[index])
        #expect(try model.getOutputTensorLayouts()[index].dimensions == info.shape)
        #expect(
          try model.getOutputBufferRequirements(outputIndex: index).bufferSize
            == wanted.outputByteCounts[index])
        guard let values = wanted.values?[index].numbers else { continue }
        let numbers = try Self.numbers(outputs[index], info.type)
        #expect(numbers.count == values.count)
        let tolerance = info.type == "float32" ? 1e-5 : 0
        for (mine, theirs) in zip(numbers, values) {
          #expect(abs(mine - theirs) <= tolerance * (1 + abs(theirs)), "\(path), output \(index)")
        }
      }
    }
  }

  /// The code of LiteRT's C API for what `body` throws; 0 for nothing.
  private static func code(_ body: () throws -> Void) -> Int {
    do { try body() } catch LiteRtError.invalidArgument {
      return 1
    } catch LiteRtError.runtimeFailure {
      return 3
    } catch LiteRtError.indexOutOfBounds {
      return 1_000
    } catch {
      return -1
    }
    return 0
  }

  private static func resize(
    _ shape: [Int], signature: [Int]? = nil, to dimensions: [Int], input: Int = 0,
    isStrict: Bool = true
  ) throws {
    let model = try TestModels.compiled(TestModels.sum(shape, signature: signature))
    if isStrict {
      try model.resizeInputTensor(inputIndex: input, dimensions: dimensions)
    } else {
      try model.resizeInputTensorNonStrict(inputIndex: input, dimensions: dimensions)
    }
  }

  private static func run(inputs: Int, outputs: Int, signature: Int = 0) throws {
    let model = try TestModels.compiled()
    let buffers = try model.createInputBuffers()
    try model.run(
      inputs: Array((buffers + buffers).prefix(inputs)),
      outputs: Array(try model.createOutputBuffers().prefix(outputs)), signatureIndex: signature)
  }

  private static func probe(_ name: String) throws {
    let open = [-1, 2, 3]
    let buffer = try TestModels.compiled().createInputBuffers()[0]
    switch name {
    case "requirements of input 9":
      _ = try TestModels.compiled().getInputBufferRequirements(inputIndex: 9)
    case "buffers of signature 7":
      _ = try TestModels.compiled().createInputBuffers(signatureIndex: 7)
    case "resize input 9": try resize([2], to: [2], input: 9)
    case "resize fixed to itself": try resize([2], to: [2])
    case "resize fixed": try resize([2], to: [3])
    case "resize fixed, not strict": try resize([2], to: [3], isStrict: false)
    case "resize to another rank": try resize([1, 2, 3], signature: open, to: [2])
    case "resize an open dimension": try resize([1, 2, 3], signature: open, to: [4, 2, 3])
    case "resize a fixed dimension": try resize([1, 2, 3], signature: open, to: [4, 9, 3])
    case "resize to a negative dimension": try resize([1, 2, 3], signature: open, to: [-1, 2, 3])
    case "run with one buffer": try run(inputs: 1, outputs: 1)
    case "run with four buffers": try run(inputs: 4, outputs: 1)
    case "run without outputs": try run(inputs: 2, outputs: 0)
    case "run signature 3": try run(inputs: 2, outputs: 1, signature: 3)
    case "write too much": try buffer.write([0, 0, 0] as [Float])
    case "write a part": try buffer.write([0] as [Float])
    case "write bytes": try buffer.write([UInt8](repeating: 0, count: 8))
    case "load nothing": _ = try TestModels.compiled(Data())
    case "load what is no model": _ = try TestModels.compiled(Data("no model".utf8))
    case "load a file that is not there":
      _ = try CompiledModel(filePath: "/not/there.tflite", environment: Environment())
    default: Issue.record("no probe '\(name)'")
    }
  }

  /// Errors that LiteRT's Python gives no code of only have to be errors.
  @Test func `mistakes are refused with LiteRT's codes`() throws {
    for (name, wanted) in try Self.recorded().outcomes {
      let code = Self.code { try Self.probe(name) }
      if wanted == -1 {
        #expect(code != 0, "\(name)")
      } else {
        #expect(code == wanted, "\(name)")
      }
    }
  }
}
