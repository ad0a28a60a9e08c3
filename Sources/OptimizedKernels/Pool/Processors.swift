// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The processors that threads may run on.
package enum Processors {
  /// How many are online.
  package static let count = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}
