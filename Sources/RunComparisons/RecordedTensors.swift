// SPDX-License-Identifier: Apache-2.0

public import Martlet
internal import ModelFormat
internal import Npy
internal import ReferenceKernels
internal import Tensors
internal import Traces

/// The tensors of a recorded run as seen from another model, or the same one.
struct RecordedTensors {
  private let run: RecordedRun
  private let model: Model
  private let root: Int
  private let pairing: TensorPairing?

  /// The tensors of `run` that stand for those of `model`, whose subgraph `root` runs.
  init(_ run: RecordedRun, for model: Model, root: Int) {
    self.run = run
    self.model = model
    self.root = root
    pairing = run.origin.map { origin in
      TensorPairing(model, root: root, reference: origin.model, referenceRoot: origin.subgraph)
    }
  }

  /// The recorded value of the model's tensor at `location`; nil where there is none.
  func value(at location: TensorLocation) throws(NpzFileError) -> TypedArray? {
    guard let pairing else {
      return try run.value(
        at: location, of: tensor(location), isMainGraph: location.subgraph == root)
    }
    guard let reference = pairing.reference(of: location) else { return nil }
    return try run.value(at: reference)
  }

  /// The same in the form that the model's tensor has; nil where there is none that has one.
  ///
  /// Real numbers are quantized by the tensor's own scale and zero point.
  func value(formedFor location: TensorLocation) throws(NpzFileError) -> TensorValue? {
    guard let recorded = try value(at: location) else { return nil }
    let declared = tensor(location).type
    let type = TensorType(
      declared.elementType, recorded.array.shape, quantization: declared.quantization)
    guard let array = Self.array(recorded, as: type),
      let bytes = try? array.tensorBytes(as: type.elementType)
    else { return nil }
    return TensorValue(type, TensorBytes(copying: bytes))
  }

  private static func array(_ recorded: TypedArray, as type: TensorType) -> NpyArray? {
    if recorded.type.elementType == type.elementType,
      recorded.type.quantization == type.quantization
    {
      return recorded.array
    }
    guard let values = RealValues(recorded.type, recorded.array) else { return nil }
    return try? RealValues.array(values.numbers, as: type)
  }

  private func tensor(_ location: TensorLocation) -> ModelFile.Tensor {
    model.file.subgraphs[location.subgraph].tensors[location.tensor]
  }
}

extension Interpreter {
  /// Gives every input the value that a recorded run has for it; other shapes resize.
  ///
  /// - Returns: the positions of inputs for which the run has none, which keep their values.
  /// - Throws: `ComparisonError`.
  public func setInputs(from run: RecordedRun) throws(ComparisonError) -> [Int] {
    let recorded = RecordedTensors(run, for: model, root: subgraphIndex)
    var missing: [Int] = []
    var values: [(position: Int, value: TensorValue)] = []
    for (position, info) in inputs.enumerated() {
      let location = TensorLocation(subgraph: subgraphIndex, invocation: 0, tensor: info.index)
      do throws(NpzFileError) {
        if let value = try recorded.value(formedFor: location) {
          values.append((position, value))
        } else {
          missing.append(position)
        }
      } catch {
        throw .file(error)
      }
    }
    do throws(InferenceError) {
      for (position, value) in values { try resizeInput(position, to: value.type.shape) }
      for (position, value) in values {
        try setInput(position, bytes: value.bytes.array())
      }
    } catch {
      throw .inference(error)
    }
    return missing
  }
}
