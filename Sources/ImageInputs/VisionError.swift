// SPDX-License-Identifier: Apache-2.0

public import Imaging
public import Martlet
public import ModelTasks

/// Why a vision task cannot be set up or run.
public enum VisionError: Error, Sendable {
  /// The model cannot be loaded or run.
  case inference(InferenceError)
  /// The model is not one for this task; the sentence says which rule it breaks.
  case incompatibleModel(String)
  /// A label or calibration file does not fit the model.
  case labels(String)
  /// An AutoML manifest cannot be used.
  case manifest(path: String, reason: String)
  /// The image cannot be prepared.
  case image(ImagingError)
  /// An option has a value outside its range.
  case invalidOption(String)
}

extension VisionError {
  /// What is wrong with a model of floats that nothing tells how to normalize images for.
  package static let missingNormalization =
    "Input tensor has type kTfLiteFloat32: it requires specifying NormalizationOptions metadata to "
    + "preprocess input images."

  /// An error of any task as one of a vision task.
  public init(_ error: TaskError) {
    self =
      switch error {
      case .inference(let error): .inference(error)
      case .incompatibleModel(let reason): .incompatibleModel(reason)
      case .labels(let reason): .labels(reason)
      case .invalidOption(let reason), .input(let reason): .invalidOption(reason)
      case .bundle(let reason): .incompatibleModel(reason)
      }
  }

  /// What `body` makes, with the errors of vision tasks.
  package static func converting<Value>(
    _ body: () throws(TaskError) -> Value
  ) throws(VisionError) -> Value {
    do throws(TaskError) { return try body() } catch { throw VisionError(error) }
  }
}

extension ModelNotes {
  /// The notes of a model for a vision task.
  package init(forVision model: Model) throws(VisionError) {
    do throws(TaskError) { try self.init(model) } catch { throw VisionError(error) }
  }
}
