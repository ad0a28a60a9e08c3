// SPDX-License-Identifier: Apache-2.0

private import CZlib

/// The library that deflates and inflates.
package enum Zlib {
  /// The version of the library at hand, which may be a later one than the program was built with.
  package static var version: String { unsafe String(cString: zlibVersion()) }
}
