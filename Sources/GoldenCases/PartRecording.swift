// SPDX-License-Identifier: Apache-2.0

internal import Compression
internal import JSONDocuments
public import Martlet
internal import ModelFormat
internal import Npy
internal import Tensors

/// Golden cases of parts of a model, from one run of the whole.
///
/// ```swift
/// var options = Interpreter.Options()
/// options.keepsAllTensors = true
/// let interpreter = try Interpreter(model, options: options)
/// try interpreter.setInput(0, pixels)
/// try interpreter.invoke()
/// let recording = PartRecording(of: interpreter, named: "digits_int8.tflite")
/// ```
public struct PartRecording {
  /// What became of a part's case.
  public enum Outcome: Sendable, Equatable {
    /// It is stored.
    case stored
    /// The part by itself cannot give what it gave in the run, for this reason; nothing is stored.
    case left(String)
  }

  private let interpreter: Interpreter
  private let name: String
  private let digest: String

  /// A recording of the latest run of `interpreter`, whose options keep all tensors.
  ///
  /// `name` is what cases call the model.
  public init(of interpreter: Interpreter, named name: String) {
    self.interpreter = interpreter
    self.name = name
    let storage = interpreter.model.storage
    digest = SHA256.hexadecimalDigest(storage.bytes)
  }

  /// Stores what went into a part and what came out of it.
  ///
  /// Before that, the part's own model runs on these inputs: where it depends on what earlier nodes
  /// left in variables, or on chance, it has no case. Outputs are those of the whole run.
  ///
  /// - Parameters:
  ///   - part: the part.
  ///   - bytes: its own model's file.
  ///   - model: the path of that file as `case.json` shall have it.
  ///   - folder: where the case goes; it is made if it is missing.
  /// - Returns: whether it was stored.
  /// - Throws: `GoldenError` where files cannot be written.
  public func store(
    _ part: ModelPart, _ bytes: [UInt8], model: String, in folder: String
  ) throws(GoldenError) -> Outcome {
    guard !part.outputs.isEmpty else { return .left("it has no outputs") }
    guard let inputs = arrays(part.inputs, of: part), let outputs = arrays(part.outputs, of: part)
    else { return .left("not all of its tensors have values in the run") }
    if let problem = difference(bytes, inputs, outputs) { return .left(problem) }
    let settings = interpreter.goldenSettings(
      digest: SHA256.hexadecimalDigest(bytes.span), model: model
    ).adding([
      "source": .string(name), "source_sha256": .string(digest),
      "source_subgraph": .integer(part.subgraph),
      "source_nodes": .array(part.nodes.map { .integer($0) }),
    ])
    func named(_ prefix: String, _ arrays: [NpyArray]) -> [(name: String, array: NpyArray)] {
      arrays.enumerated().map { ("\(prefix)_\($0.offset)", $0.element) }
    }
    try GoldenCase.store(named("in", inputs) + named("out", outputs), settings, in: folder)
    return .stored
  }

  /// The values of tensors in the run; nil where one has none.
  private func arrays(_ tensors: [Int], of part: ModelPart) -> [NpyArray]? {
    guard let table = interpreter.table(ofSubgraph: part.subgraph) else { return nil }
    let arrays = tensors.compactMap { tensor -> NpyArray? in
      guard let type = table.types[tensor], let bytes = table.bytes[tensor] else { return nil }
      return try? NpyArray(type, tensorBytes: bytes.array())
    }
    return arrays.count == tensors.count ? arrays : nil
  }

  /// What the part's own model does otherwise than the whole; nil where they agree.
  private func difference(
    _ bytes: [UInt8], _ inputs: [NpyArray], _ outputs: [NpyArray]
  ) -> String? {
    var options = interpreter.options
    options.keepsAllTensors = false
    do throws(InferenceError) {
      let alone = try Interpreter(try Model(bytes: bytes), options: options)
      try alone.setInputs(inputs.enumerated().map { ($0.offset, $0.element) })
      try alone.invoke()
      for (position, expected) in outputs.enumerated() {
        let agreement = try alone.outputArray(position).agreement(with: expected)
        if case .differs(let reason) = agreement {
          return "by itself it computes something else: output \(position), \(reason)"
        }
      }
      return nil
    } catch {
      return "by itself it fails: \(error.sentence)"
    }
  }
}
