// SPDX-License-Identifier: Apache-2.0

import Compression
import FlatBuffers
import Foundation
import ImageCodecs
import ResourceLimits
import Martlet
import ModelFormat
import ModelHosting
import Verification
import VisionTasks

/// A way into the library for bytes that nobody vouches for.
///
/// Whatever the bytes are, a target returns: what a file does wrong is an error, and errors are
/// let go of.
enum FuzzTarget: String, CaseIterable {
  /// Models are loaded, described, planned and run by both sets of kernels.
  case model
  /// Files are shown table by table.
  case tree
  /// Models are checked for products.
  case check
  /// Metadata and associated files are read.
  case metadata
  /// Options of custom operators are read.
  case flexbuffer
  case png
  /// Pictures of any format are decoded.
  case picture
  case zip
  case npy
  case npz
  /// Documents of the tools' own parser.
  case json
  case manifest
  /// Answers of model hosts, and documents of published models.
  case hosting

  /// Whether inputs are models.
  var readsModels: Bool {
    switch self {
    case .model, .tree, .check, .metadata: true
    case .flexbuffer, .png, .picture, .zip, .npy, .npz, .json, .manifest, .hosting: false
    }
  }

  /// Gives the bytes to the target.
  func run(_ bytes: [UInt8]) {
    switch self {
    case .model: ModelRun(bytes)?.compare()
    case .tree: _ = try? ModelTree(of: bytes.span, partLimit: 20_000)
    case .check:
      guard let model = try? Model(bytes: bytes) else { return }
      _ = ModelCheck(model, at: "model.tflite", for: CheckedProduct.allCases)
    case .metadata:
      guard let model = try? Model(bytes: bytes) else { return }
      guard let metadata = try? model.metadata() else { return }
      _ = try? model.bytes(with: metadata)
    case .flexbuffer: _ = try? FlexBuffers.decode(bytes.span)
    case .png: _ = try? PNG.decode(bytes.span, limits: Self.limits)
    case .picture: _ = try? ImageFile.decode(bytes, limits: Self.limits)
    case .zip: readZip(bytes)
    case .npy: _ = (try? NpyArray(parsing: bytes.span))?.realNumbers
    case .npz: _ = try? NpzArchive(parsing: bytes)
    case .json: _ = try? JSON(parsing: bytes)
    case .manifest: _ = try? AutoMLManifest(parsing: bytes, path: "/models/manifest.json")
    case .hosting: readAnswers(bytes)
    }
  }

  private static var limits: Limits {
    Limits(picturePixelCount: 1 << 22, pictureByteCount: 1 << 26)
  }

  private func readZip(_ bytes: [UInt8]) {
    guard let archive = try? ZipArchive(bytes.span) else { return }
    for entry in archive.entries {
      _ = try? archive.contents(of: entry, in: bytes.span, limit: 1 << 24)
    }
  }

  private func readAnswers(_ bytes: [UInt8]) {
    guard let url = URL(string: "https://models.example/v1/models/digits") else { return }
    _ = try? FirebaseMLHost.version(Data(bytes), hash: "\"abc\"", from: url)
    _ = PublishedModel(document: bytes, project: "p", name: "n")
  }
}
