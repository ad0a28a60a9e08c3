// SPDX-License-Identifier: Apache-2.0

import Compression
import FileAccess
package import Martlet
import Microkernels
import ModelFormat
import OptimizedKernels
import Tensors

/// What the report is about, and what made it.
package struct ModelIdentity: Sendable {
  package let fileName: String
  package let byteCount: Int
  /// SHA-256 of the file.
  package let digest: String
  package let schemaVersion: Int
  package let description: String
  /// What the converter wrote about itself; empty where it did not.
  package let minimumRuntime: String
  package let subgraphCount: Int
  package let nodeCount: Int
  /// SHA-256 of each input's bytes.
  package let inputDigests: [String]
  package let engineVersion: String
  package let instructionSet: String
  package let kernels: String
  package let rounding: String
  package let threadCount: Int
  package let date: String?
  package let command: String

  package init(
    _ model: Model, path: String, _ inputs: CapturedInputs, _ options: Interpreter.Options,
    _ audit: AuditOptions
  ) {
    let storage = model.storage
    fileName = Folder.lastName(of: path)
    byteCount = storage.byteCount
    digest = SHA256.hexadecimalDigest(storage.bytes)
    schemaVersion = model.file.version
    description = model.file.description
    minimumRuntime = Self.minimumRuntime(model)
    subgraphCount = model.file.subgraphs.count
    nodeCount = model.file.subgraphs.reduce(0) { $0 + $1.nodes.count }
    inputDigests = inputs.bytes.map { bytes in
      bytes.map { SHA256.hexadecimalDigest($0.span) } ?? ""
    }
    engineVersion = Engine.version
    instructionSet = MicrokernelSet.selected.level.rawValue
    kernels = options.kernels.name
    rounding = options.rounding.rawValue
    threadCount = options.threadCount
    date = audit.date
    command = audit.command
  }

  /// The text of the buffer that the metadata calls `min_runtime_version`.
  private static func minimumRuntime(_ model: Model) -> String {
    guard let entry = model.file.metadata.first(where: { $0.name == "min_runtime_version" }),
      model.file.buffers.indices.contains(entry.buffer)
    else { return "" }
    let storage = model.storage
    var text: [UInt8] = []
    for position in model.file.buffers[entry.buffer].prefix(32) {
      let byte = storage.bytes[position]
      if (0x21...0x7E).contains(byte) { text.append(byte) }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
