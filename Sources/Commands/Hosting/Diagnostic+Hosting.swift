// SPDX-License-Identifier: Apache-2.0

import ModelHosting

extension Diagnostic {
  /// Why a model cannot be had from a host, or written for one.
  init(host error: HostingError, place: String) {
    let hint: String? =
      switch error.reason {
      case .networkingUnavailable: "build with the package trait Networking"
      case .status(401), .status(403): "the host may want --api-key, or HF_TOKEN"
      case _: nil
      }
    self.init(Self.code(error), error.message, at: place, hint: hint)
  }

  private static func code(_ error: HostingError) -> ExitCode {
    switch error.reason {
    case .emptyModelName, .invalidModelName: .usage
    case .networkingUnavailable, .unreachable, .token: .unavailable
    case .interrupted, .timedOut, .expired, .cancelled: .temporary
    case .status(404), .status(410): .missingInput
    case .status: error.isTemporary ? .temporary : .unavailable
    case .refusedAddress, .missingHash, .unexpectedHash, .missingCopy, .malformedAnswer,
      .damagedFile:
      .badData
    case .notEnoughSpace, .storage: .inputOutput
    }
  }
}
