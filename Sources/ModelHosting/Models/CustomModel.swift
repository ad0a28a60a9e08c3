// SPDX-License-Identifier: Apache-2.0

/// A model that was downloaded and lies in a file.
public struct CustomModel: Hashable, Sendable {
  /// The name the host knows the model by.
  public let name: String

  /// The size in bytes.
  public let size: Int

  /// The path of the model's file.
  ///
  /// The file is never written to: a later version takes its name, and whoever has the older
  /// one open or mapped keeps it.
  public let path: String

  /// The hash that the host gave for this version: the `ETag` as it was received.
  public let hash: String

  package init(name: String, size: Int, path: String, hash: String) {
    self.name = name
    self.size = size
    self.path = path
    self.hash = hash
  }
}
