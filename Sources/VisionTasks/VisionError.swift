// SPDX-License-Identifier: Apache-2.0

public import Imaging
public import Martlet

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
