// SPDX-License-Identifier: Apache-2.0

import Formatting
package import ModelPublishing

extension Diagnostic {
  /// Why a model cannot be had from a host, or written for one.
  package init(host error: HostingError, location: String) {
    let hint: String? =
      switch error.reason {
      case .networkingUnavailable: "build with the package trait Networking"
      case .status(401), .status(403): "the host may want --api-key, or HF_TOKEN"
      case _: nil
      }
    self.init(Self.code(error), Self.what(error), at: location, hint: hint)
  }

  /// What is wrong; a host's own words may be few.
  private static func what(_ error: HostingError) -> String {
    guard case .status(let status) = error.reason, error.stage != .store,
      !error.message.contains(text: "\(status)")
    else { return error.message }
    return "the host says '\(error.message)', HTTP status \(status)"
  }

  private static func code(_ error: HostingError) -> ExitCode {
    switch error.reason {
    case .emptyModelName, .invalidModelName: .usage
    case .networkingUnavailable, .unreachable, .token: .unavailable
    case .interrupted, .timedOut, .expired, .cancelled: .temporary
    case .status(404), .status(410): .missingInput
    case .status(200..<400): .badData
    case .status: error.isTemporary ? .temporary : .unavailable
    case .refusedAddress, .missingHash, .unexpectedHash, .missingCopy, .malformedAnswer,
      .damagedFile:
      .badData
    case .notEnoughSpace, .storage: .inputOutput
    }
  }
}
