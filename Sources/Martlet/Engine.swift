// SPDX-License-Identifier: Apache-2.0

#if !_pointerBitWidth(_64)
  #error("Martlet needs a 64-bit system: sizes of files, tensors and arenas are Int")
#endif

/// The engine as a whole.
public enum Engine {
  /// The version, in the form major.minor.patch.
  public static let version = "0.1.0"
}
