// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What a system error number says about an input file.
package enum SystemErrorKind {
  /// There is no such file, or none that may be read.
  case missing
  /// There is something, but no file that could be read.
  case notAFile
  /// The system failed.
  case other

  package init(_ code: Int32) {
    switch code {
    case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, EACCES, EPERM: self = .missing
    case EISDIR, EINVAL, EFBIG, ENXIO: self = .notAFile
    case _: self = .other
    }
  }
}
