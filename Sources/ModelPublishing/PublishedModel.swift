// SPDX-License-Identifier: Apache-2.0

import Formatting
import JSONDocuments

/// A model as a static host offers it: its location in the tree, and the document that says so.
package struct PublishedModel: Hashable, Sendable {
  /// The project that the model belongs to.
  package let project: String
  /// The model's name.
  package let name: String
  /// The size in bytes.
  package let size: Int
  /// The SHA-256 of the bytes, which is the model's hash.
  package let sha256: String
  /// The document that clients get.
  let document: [UInt8]

  /// The address that clients ask.
  var uri: String { "/v1beta2/projects/\(project)/models/\(name):download" }
  /// The folder of the document in the tree.
  var documentFolder: String { "v1beta2/projects/\(project)/models" }
  /// The path of the file in the tree.
  package var file: String { "blob/\(sha256)/\(name).tflite" }

  /// The most bytes of a document.
  static let documentLengthLimit = 64 << 10

  /// A model of `size` bytes; without `baseURL`, the file's address is a path on the same host.
  init(project: String, name: String, size: Int, sha256: String, baseURL: String?) {
    self.project = project
    self.name = name
    self.size = size
    self.sha256 = sha256
    var base = (baseURL ?? "")[...]
    while base.hasSuffix("/") { base = base.dropLast() }
    // The names are Firebase's, and `sha256` is added.
    let content = JSON.record([
      "downloadUri": .string("\(base)/blob/\(sha256)/\(name).tflite"),
      // Addresses of public files do not expire.
      "expireTime": "2099-01-01T00:00:00.000Z",
      "sha256": .string(sha256), "sizeBytes": .string("\(size)"),
    ])
    document = Array((content.prettyText + "\n").utf8)
  }

  /// The model that a tree's document describes; nil where it does not.
  package init?(document: [UInt8], project: String, name: String) {
    guard let content = try? JSON(parsing: document), content["downloadUri"]?.string != nil,
      content["expireTime"]?.string != nil, let sha256 = content["sha256"]?.string,
      Digest.isSHA256(sha256), let size = content["sizeBytes"]?.string.flatMap({ Int($0) })
    else { return nil }
    self.project = project
    self.name = name
    self.size = size
    self.sha256 = sha256
    self.document = document
  }

  /// Whether `name` can be a project's or model's in a tree: it stands in addresses, file names
  /// and nginx's configuration as it is.
  package static func isName(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count) && !name.hasPrefix(".") && !name.contains(text: "..")
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        case _: false
        }
      }
  }
}
