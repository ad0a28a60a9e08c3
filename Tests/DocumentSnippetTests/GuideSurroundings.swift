// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Compression
import Foundation
import Imaging
import MLKit
import TestSupport
import Testing

/// The suites share the program's folder, host and notifications: one test after the other.
@Suite(.serialized) @MainActor
enum Guides {}

/// The folder of models that others published; nil where the environment names none.
let sharedModels = PublishedModels.folder

/// The model that names the mean color of an image of 224 × 224 pixels among a thousand.
let colorsPath = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .appendingPathComponent("Models/colors.tflite").path

/// The files that the documents look for beside the program.
///
/// `Bundle.main` lists a folder when it is first asked, so all of them are there before that.
enum BundleFiles {
  /// What the folder that the documents call `your_model_directory` has, and what lies beside it.
  static func prepare() throws { try outcome.get() }

  private static let outcome = Result {
    let folder = Bundle.main.bundleURL
    let models = folder.appendingPathComponent("your_model_directory")
    try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
    // The last comma is one too many, as in Google's own manifests.
    let manifest = """
      {
        "modelType": "IMAGE_LABELING",
        "modelFile": "model.tflite",
        "labelsFile": "dict.txt",
      }
      """
    let contents = [
      ("your_model.tflite", try Data(contentsOf: URL(fileURLWithPath: colorsPath))),
      ("manifest.json", Data(manifest.utf8)),
      ("model.tflite", try bundled("digits/digits_uint8.tflite")),
      ("dict.txt", Data((0..<10).map { "digit \($0)\n" }.joined().utf8)),
    ]
    for (name, data) in contents { try data.write(to: models.appendingPathComponent(name)) }
    let labels = (0..<1000).map { "color \($0)" }.joined(separator: "\n")
    try Data(labels.utf8).write(to: folder.appendingPathComponent("retrained_labels.txt"))
  }
}

/// A host of models on this machine: a folder behind Python's web server, and a store of its own.
final class LocalHost {
  static let isAvailable =
    FileManager.default.isExecutableFile(atPath: "/usr/bin/env")
    && runs(["python3", "--version"])

  private let folder: URL
  private let server = Process()

  /// A host that has one model, and is where models come from until this is gone.
  init(model name: String, _ data: Data) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("martlet-host-\(UUID().uuidString)")
    let root = folder.appendingPathComponent("www")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    try data.write(to: root.appendingPathComponent("\(name).tflite"))
    let digest = SHA256.hexadecimalDigest([UInt8](data).span)
    try Data(digest.utf8).write(to: root.appendingPathComponent("\(name).tflite.sha256"))

    let output = Pipe()
    server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    server.arguments = [
      "python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", root.path,
    ]
    server.standardOutput = output
    server.standardError = FileHandle.nullDevice
    try server.run()
    // "Serving HTTP on 127.0.0.1 port 41234 (http://127.0.0.1:41234/) ..."
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let address = try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+/)).output
    ModelHosts.storeRoot = folder.appendingPathComponent("store").path
    ModelHosts.use(StaticFileHost(baseURL: String(address)))
  }

  /// Ends the server; requests then fail.
  func stop() {
    // A process that a thread of Dispatch starts inherits blocked signals, SIGTERM among them.
    kill(server.processIdentifier, SIGKILL)
    server.waitUntilExit()
  }

  deinit {
    stop()
    ModelHosts.use(nil)
    try? FileManager.default.removeItem(at: folder)
  }

  private static func runs(_ arguments: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}

/// Waits until a condition holds, for at most 30 seconds.
@MainActor
func wait(until condition: () -> Bool) async throws {
  for _ in 0..<1500 where !condition() { try await Task.sleep(for: .milliseconds(20)) }
  try #require(condition(), "in 30 seconds")
}

/// An image of one color of 0 to 255.
func image(_ red: UInt8, _ green: UInt8, _ blue: UInt8, size: Int = 224) throws -> PixelBuffer {
  try PixelBuffer(
    width: size, height: size, format: .rgba8,
    filledWith: PixelColor(red: red, green: green, blue: blue))
}

/// What `colors.tflite` computes, in double precision: probabilities of classes by the distance
/// of their colors from a color of 0 to 1.
func colorProbabilities(_ red: Double, _ green: Double, _ blue: Double) -> [Double] {
  let weights = (0..<1000).map { index in
    let steps = [index / 100, index / 10 % 10, index % 10].map { (Double($0) + 0.5) / 10 }
    let distance = zip(steps, [red, green, blue]).map { ($0 - $1) * ($0 - $1) }.reduce(0, +)
    return exp(-200 * distance)
  }
  let sum = weights.reduce(0, +)
  return weights.map { $0 / sum }
}

/// A bundled file's content.
func bundled(_ name: String) throws -> Data {
  try Data(contentsOf: URL(fileURLWithPath: BundledModels.path(of: name)))
}
