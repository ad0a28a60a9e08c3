// SPDX-License-Identifier: Apache-2.0

import Compression

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The beginning of a file that is being downloaded, and what is needed to go on with it.
struct PartialFile: Sendable {
  /// What the host called the bytes that are there, for `If-Range`.
  private struct Origin: Codable {
    var validator: String
  }

  let handle: StoreFile
  private let folder: StoreFolder
  private let key: String

  /// The name that tells what is downloaded: the SHA-256 of the file, where it is known.
  static func key(for version: ModelVersion) -> String {
    if let sha256 = version.sha256 { return sha256 }
    let identity = "\(AddressPolicy.shown(version.url))\n\(version.hash)"
    return "unverified-" + SHA256.hexadecimalDigest(Array(identity.utf8).span)
  }

  /// The partial file of a version, as it was left.
  init(_ key: String, in folder: StoreFolder) throws(HostingError) {
    self.folder = folder
    self.key = key
    let name = key + ".part"
    // Whatever is there under the name and is no file of ours has to go.
    if let status = StoreFile.status(of: folder.path(of: name)), !status.isRegular {
      try folder.remove(name)
    }
    handle = try StoreFile(folder.path(of: name), for: .appending)
  }

  /// How many bytes are there.
  var size: Int {
    get throws(HostingError) { try handle.status().size }
  }

  /// The validator of the bytes that are there; nil where the host gave none.
  var validator: String? {
    guard let file = try? StoreFile(folder.path(of: key + ".json"), for: .reading),
      let bytes = try? file.bytes(count: ModelRecord.lengthLimit),
      let origin = try? JSONDecoder().decode(Origin.self, from: Data(bytes)),
      Digest.isHash(origin.validator)
    else { return nil }
    return origin.validator
  }

  /// Starts anew with bytes that the host calls `validator`.
  func restart(validator: String?) throws(HostingError) {
    try handle.truncate(to: 0)
    guard let validator, Digest.isHash(validator),
      let document = try? JSONEncoder().encode(Origin(validator: validator))
    else {
      try folder.remove(key + ".json")
      return
    }
    // After a loss of power the bytes are in doubt anyway, and checked at the end.
    try folder.write(Array(document), to: key + ".json", isDurable: false)
  }

  /// Makes the file, which is complete and checked, the blob with these bytes.
  func become(_ sha256: String, in blobs: StoreFolder) throws(HostingError) -> StoreFile {
    try handle.synchronize()
    // Only now: a partial file that nobody may write to could not be gone on with.
    try blobs.move(handle.path, to: sha256)
    try handle.protect()
    try folder.remove(key + ".json")
    return try StoreFile(blobs.path(of: sha256), for: .reading)
  }

  /// Throws the bytes away.
  func discard() throws(HostingError) {
    try folder.remove(key + ".part")
    try folder.remove(key + ".json")
  }

  /// The validator that an answer gives for its bytes: a strong `ETag`, or a date.
  static func validator(of head: HTTPHead) -> String? {
    if let tag = head["ETag"], !tag.hasPrefix("W/") { return tag }
    return head["Last-Modified"]
  }
}
