// SPDX-License-Identifier: Apache-2.0

/// The engine as a whole.
public enum Engine {
  /// The version, in the form major.minor.patch.
  public static let version = "0.1.0"
}
