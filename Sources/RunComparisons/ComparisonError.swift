// SPDX-License-Identifier: Apache-2.0

public import Martlet
public import Npy

/// Why runs cannot be compared.
public enum ComparisonError: Error, Sendable {
  /// The model cannot be prepared or run.
  case inference(InferenceError)
  /// The recorded tensors cannot be read.
  case file(NpzFileError)
  /// The recorded tensors are not those of such a model.
  case mismatch(String)
}
