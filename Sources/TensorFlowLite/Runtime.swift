// SPDX-License-Identifier: Apache-2.0

import Martlet

/// The runtime behind the interpreters.
public enum Runtime {
  /// The version of the runtime, in the form major.minor.patch.
  public static var version: String { Engine.version }
}
