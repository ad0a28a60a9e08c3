// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import BundledModels
import Commands
import Compression
import FlatBuffers
import Foundation
import ImageCodecs
import JSONDocuments
import Martlet
import ModelChecks
import ModelFormat
import ModelHosting
import ModelTasks
import Npy
import ResourceLimits
import Tokenizers
import VisionTasks

/// A way into the library for bytes that nobody vouches for.
///
/// Whatever the bytes are, a target returns, and says what is wrong with them.
package enum FuzzTarget: String, CaseIterable {
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
  /// Images of any format are decoded.
  case image
  case zip
  case npy
  case npz
  /// Documents of the tools' own parser.
  case json
  case manifest
  /// Answers of model hosts, and documents of published models.
  case hosting
  /// WAV files, and the same bytes as samples without a header.
  case sound
  /// Word pieces, which then divide a text.
  case vocabulary
  /// SentencePiece models, which then divide a text.
  case sentencepiece
  /// A regular expression, and in the lines behind it a text to be divided.
  case expression
  /// Bundles of models.
  case bundle
  /// Indices of embeddings.
  case embeddings
  /// Records of `martlet worker` are answered by the bundled classifier, as images, as tensors and
  /// as vectors.
  case worker

  /// Whether inputs are models.
  package var readsModels: Bool {
    switch self {
    case .model, .tree, .check, .metadata: true
    case .flexbuffer, .png, .image, .zip, .npy, .npz, .json, .manifest, .hosting, .sound,
      .vocabulary, .sentencepiece, .expression, .bundle, .embeddings, .worker:
      false
    }
  }

  /// Gives the bytes to the target.
  ///
  /// - Returns: what is wrong with them; nil where they are taken.
  @discardableResult
  package func run(_ bytes: [UInt8]) -> String? {
    do {
      try give(bytes)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func give(_ bytes: [UInt8]) throws {
    switch self {
    case .model: try ModelRun(bytes).compare()
    case .tree: _ = try ModelTree(of: bytes.span, partLimit: 20_000)
    case .check:
      _ = ModelCheck(try Model(bytes: bytes), at: "model.tflite", for: CheckedProduct.allCases)
    case .metadata: try readMetadata(bytes)
    case .flexbuffer: _ = try FlexBuffers.decode(bytes.span)
    case .png: _ = try PNG.decode(bytes.span, limits: Self.limits)
    case .image: _ = try ImageFile.decode(bytes, limits: Self.limits)
    case .zip: try readZip(bytes)
    case .npy: _ = try NpyArray(parsing: bytes.span).realNumbers
    case .npz: _ = try NpzArchive(parsing: bytes)
    case .json: _ = try JSON(parsing: bytes)
    case .manifest: _ = try AutoMLManifest(parsing: bytes, path: "/models/manifest.json")
    case .hosting: try readAnswers(bytes)
    case .sound: try readSound(bytes)
    case .vocabulary:
      _ = try WordPieceTokenizer(vocabulary: bytes).tokens(of: Self.text)
    case .sentencepiece:
      let tokenizer = try SentencePieceTokenizer(model: bytes)
      _ = try tokenizer.text(of: try tokenizer.tokens(of: Self.text).map(\.id))
    case .expression: try divide(bytes)
    case .bundle:
      let bundle = try TaskBundle(bytes: bytes, limits: Limits(archiveEntryByteCount: 1 << 24))
      for name in bundle.names { _ = try bundle.model(name) }
    case .embeddings:
      let index = try EmbeddingIndex(parsing: bytes)
      _ = try index.search(Array(repeating: 1, count: index.dimension))
    case .worker: answerRecords(bytes)
    }
  }

  private static var limits: Limits {
    Limits(imagePixelCount: 1 << 22, imageByteCount: 1 << 26)
  }

  /// What tokenizers divide: several scripts, combining marks, and a long word.
  private static let text =
    "The quick brown fox — déjà vu, İstanbul; 東京 한국어 हिन्दी 👩‍👩‍👧 e\u{301}\u{0}"
    + String(repeating: "ab", count: 200)

  private func readSound(_ bytes: [UInt8]) throws {
    for encoding in [SampleEncoding.integer(byteCount: 3), .float(byteCount: 8), .muLaw] {
      _ = try? RawSamples(encoding, channelCount: 2, sampleRate: 16_000)
        .decode(bytes, limits: Limits(audioByteCount: 1 << 24))
    }
    _ = try WAV.decode(bytes, limits: Limits(audioByteCount: 1 << 24))
  }

  private func divide(_ bytes: [UInt8]) throws {
    let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    let vocabulary = Array("<PAD> 0\n<START> 1\n<UNKNOWN> 2\n".utf8)
    let tokenizer = try RegexTokenizer(
      delimiter: String(decoding: parts[0], as: UTF8.self), vocabulary: vocabulary)
    let text = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : Self.text
    _ = try tokenizer.tokens(of: text)
  }

  /// A model whose metadata or files are broken still runs, so that both are looked at.
  private func readMetadata(_ bytes: [UInt8]) throws {
    let model = try Model(bytes: bytes)
    let files = Result { try model.associatedFiles() }
    let metadata = try model.metadata()
    _ = try model.bytes(with: metadata, files: try files.get())
  }

  private func readZip(_ bytes: [UInt8]) throws {
    let archive = try ZipArchive(bytes.span)
    for entry in archive.entries {
      _ = try archive.contents(of: entry, in: bytes.span, limit: 1 << 24)
    }
  }

  /// Each line that is not blank must have an answer.
  private func answerRecords(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    let recordCount = lines.count { !$0.allSatisfy { [0x20, 0x09, 0x0D].contains($0) } }
    let model = (try? BundledModels.path(of: BundledModels.digits)) ?? ""
    let tasks = [
      ["label"], ["run", "--model", model, "--signature", "serving_default"],
      ["embed", "--model", model],
    ]
    for task in tasks {
      let console = RecordConsole(bytes)
      let code = MartletCommand.run(
        ["worker", "--keep-going", "--task"] + task, console: console)
      precondition(code == 0 && console.lineCount == recordCount, "a record has no answer")
    }
  }

  private func readAnswers(_ bytes: [UInt8]) throws {
    guard let url = URL(string: "https://models.example/v1/models/digits") else { return }
    _ = PublishedModel(document: bytes, project: "p", name: "n")
    _ = try FirebaseMLHost.version(Data(bytes), hash: "\"abc\"", from: url)
  }
}
