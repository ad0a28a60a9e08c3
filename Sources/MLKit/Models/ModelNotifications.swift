// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension NSNotification.Name {
  /// Posted when a model of Firebase ML Kit's kind has been downloaded, or was the latest already.
  public static let firebaseMLModelDownloadDidSucceed =
    NSNotification.Name("FIRModelDownloadDidSucceedNotification")
  /// Posted when a model of Firebase ML Kit's kind could not be downloaded.
  public static let firebaseMLModelDownloadDidFail =
    NSNotification.Name("FIRModelDownloadDidFailNotification")
  /// Posted when a model of ML Kit's kind has been downloaded, or was the latest already.
  public static let mlkitModelDownloadDidSucceed =
    NSNotification.Name("MLKModelDownloadDidSucceedNotification")
  /// Posted when a model of ML Kit's kind could not be downloaded.
  public static let mlkitModelDownloadDidFail =
    NSNotification.Name("MLKModelDownloadDidFailNotification")
}

/// The keys of what a notification about a download carries.
public struct ModelDownloadUserInfoKey: RawRepresentable, Hashable, Sendable {
  /// The key itself.
  public let rawValue: String

  /// A key.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The `RemoteModel`.
  public static let remoteModel =
    ModelDownloadUserInfoKey(rawValue: "MLKModelDownloadUserInfoKeyRemoteModel")
  /// The `NSError`, where the download failed.
  public static let error =
    ModelDownloadUserInfoKey(rawValue: "MLKModelDownloadUserInfoKeyError")
}
