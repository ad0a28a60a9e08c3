// SPDX-License-Identifier: Apache-2.0

import GoldenCases
import InferenceRequests
import JSONDocuments
import Martlet
import Npy
import Tensors
import VisionTasks

/// Runs a model on tensors, input files and images.
struct RunAnswering: RecordAnswering {
  private let interpreter: Interpreter
  private let model: String
  private let images: Preprocessing
  /// The shapes that the model gives its inputs.
  private let shapes: [(position: Int, shape: Shape)]

  /// Runs on `interpreter`, which nobody has used; `model` is the path for errors, and images
  /// become values as `images` says.
  init(_ interpreter: Interpreter, model: String, images: Preprocessing) {
    self.interpreter = interpreter
    self.model = model
    self.images = images
    shapes = interpreter.inputs.enumerated().compactMap { position, info in
      info.type.map { (position, $0.shape) }
    }
  }

  func answer(_ content: WorkerRecord.Content) throws(WorkerFailure) -> JSON {
    let (values, wanted) = try values(of: content)
    for (position, info) in interpreter.inputs.enumerated() where values[position] == nil {
      throw WorkerFailure(.badTensor, "no values for input '\(info.label)'", at: model)
    }
    let positions = try positions(ofOutputs: wanted)
    do throws(InferenceError) {
      // What a record leaves in variables must not reach the next one.
      interpreter.resetVariables()
      try RunInputs.put(values, into: interpreter)
      try interpreter.invoke()
      var outputs: [JSON] = []
      for position in positions { outputs.append(try output(position)) }
      return ["outputs": .array(outputs)]
    } catch {
      throw WorkerFailure(error, model: model)
    }
  }

  private func values(
    of content: WorkerRecord.Content
  ) throws(WorkerFailure) -> (values: [Int: RunInputs.Value], outputs: [String]?) {
    switch content {
    case .tensors(let tensors, let outputs): return (try values(of: tensors), outputs)
    case .file(let bytes, let member):
      return (try values(of: .image(bytes), location: member), nil)
    case .text: throw WorkerFailure(.badRequest, "a text, wanted tensors or a file", at: model)
    case .path(let path, _):
      let file: InputFileContent
      do throws(CommandError) { file = try InputFileContent(contentsOf: path) } catch {
        throw WorkerFailure(error, otherwise: .badTensor)
      }
      return (try values(of: file, location: path), nil)
    }
  }

  /// What a file gives the inputs, as it would for `martlet run --input`.
  private func values(
    of content: InputFileContent, location: String
  ) throws(WorkerFailure) -> [Int: RunInputs.Value] {
    let isImage = if case .image = content { true } else { false }
    do throws(CommandError) {
      // A file without a shape has the model's, whatever the record before had.
      try naming(model) { () throws(InferenceError) in
        for (position, shape) in shapes { try interpreter.resizeInput(position, to: shape) }
      }
      let entry = RunInputs.Given(content: content, file: location)
      let given = try RunInputs.assign([(nil, entry)], to: interpreter, command: model)
      return try RunInputs.prepare(given, interpreter, images: images)
    } catch {
      throw WorkerFailure(error, otherwise: isImage ? .badImage : .badTensor)
    }
  }

  private func values(
    of tensors: [InferenceTensor]
  ) throws(WorkerFailure) -> [Int: RunInputs.Value] {
    var values: [Int: RunInputs.Value] = [:]
    for tensor in tensors {
      guard let position = interpreter.inputPosition(named: tensor.name),
        let type = interpreter.inputs[position].type
      else {
        let known = interpreter.inputs.map { "'\($0.label)'" }.joined(separator: ", ")
        throw WorkerFailure(
          .badTensor, "no input '\(tensor.name.printable)', the model has \(known)",
          at: tensor.location)
      }
      let bytes: [UInt8]
      do throws(InferenceTensorError) { bytes = try tensor.bytes(as: type.elementType) } catch {
        throw WorkerFailure(error)
      }
      let value = RunInputs.Value(shape: tensor.shape, bytes: bytes)
      guard values.updateValue(value, forKey: position) == nil else {
        throw WorkerFailure(
          .badTensor, "input '\(tensor.name.printable)' is given twice", at: tensor.location)
      }
    }
    return values
  }

  /// The outputs of these names; all where there are no names.
  private func positions(ofOutputs names: [String]?) throws(WorkerFailure) -> [Int] {
    guard let names else { return Array(interpreter.outputs.indices) }
    var positions: [Int] = []
    for name in names {
      guard let position = interpreter.outputPosition(named: name) else {
        let known = interpreter.outputs.map { "'\($0.label)'" }.joined(separator: ", ")
        throw WorkerFailure(
          .badRequest, "no output '\(name.printable)', the model has \(known)", at: model)
      }
      positions.append(position)
    }
    return positions
  }

  /// An output in the form of the Open Inference Protocol.
  private func output(_ position: Int) throws(InferenceError) -> JSON {
    let type = try interpreter.outputType(position)
    let info = interpreter.outputs[position]
    guard let datatype = InferenceDatatype(type.elementType) else {
      throw InferenceError(
        .invalidRequest(
          "the protocol has no datatype for output '\(info.label)' of "
            + type.elementType.schemaName))
    }
    return [
      "name": .string(info.argument ?? info.name),
      "shape": .array(type.shape.dimensions.map { .integer($0) }),
      "datatype": .string(datatype.rawValue),
      "data": .array(try data(position, type)),
    ]
  }

  private func data(_ position: Int, _ type: TensorType) throws(InferenceError) -> [JSON] {
    guard type.elementType == .string else {
      return try interpreter.outputArray(position).jsonValues(limit: .max)
    }
    let bytes = try interpreter.outputBytes(position)
    do throws(StringTensor.Malformed) {
      return try StringTensor.strings(in: bytes).map {
        .string(String(decoding: $0, as: UTF8.self))
      }
    } catch {
      throw InferenceError(.invalidRequest("output \(position): \(error)"))
    }
  }
}
