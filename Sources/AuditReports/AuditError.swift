// SPDX-License-Identifier: Apache-2.0

public import Martlet
public import VisionTasks

/// Why a report cannot be made.
public enum AuditError: Error, Sendable {
  /// The model cannot be prepared or run.
  case inference(InferenceError)
  /// The image does not fit the model.
  case vision(VisionError)
  /// Anything else, in words.
  case other(String)
}
