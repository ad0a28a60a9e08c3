// SPDX-License-Identifier: Apache-2.0

internal import Compression
internal import FileAccess
internal import JSONDocuments
public import Martlet
internal import Npy
internal import OptimizedKernels
internal import Tensors

extension Interpreter {
  /// Stores the inputs and outputs of the latest run as a golden case: `in_<name>.npy`,
  /// `out_<name>.npy`, and `case.json` with how they were computed and the model's digest.
  ///
  /// Names are the signature's where the interpreter runs one, else positions. No clock is read:
  /// the same run gives the same bytes.
  ///
  /// - Parameters:
  ///   - folder: where the case goes; it is made if it is missing.
  ///   - model: the model's path as `case.json` shall have it; nil leaves it to the folder's
  ///     location.
  ///   - signature: the signature that ran; nil for the main graph.
  /// - Throws: `GoldenError` before the first run, for tensors without npy form, and where files
  ///   cannot be written.
  public func storeGolden(
    in folder: String, model: String? = nil, signature: String? = nil
  ) throws(GoldenError) {
    var files: [(name: String, array: NpyArray)] = []
    for (position, info) in inputs.enumerated() {
      files.append(("in_\(info.argument ?? "\(position)")", try inputArray(position)))
    }
    for (position, info) in outputs.enumerated() {
      do throws(InferenceError) {
        files.append(("out_\(info.argument ?? "\(position)")", try outputArray(position)))
      } catch {
        throw .inference(error)
      }
    }
    let storage = self.model.storage
    let settings = goldenSettings(
      digest: SHA256.hexadecimalDigest(storage.bytes), model: model, signature: signature)
    try GoldenCase.store(files, settings, in: folder)
  }

  /// What `case.json` says about a run of this interpreter's kind, of the model with this digest.
  func goldenSettings(digest: String, model: String?, signature: String? = nil) -> JSON {
    .record([
      "engine": "martlet", "version": .string(Engine.version),
      "kernels": .string(options.kernels.name), "rounding": .string(options.rounding.rawValue),
      "model": model.map { .string($0) }, "signature": signature.map { .string($0) },
      "model_sha256": .string(digest),
    ])
  }

  private func inputArray(_ position: Int) throws(GoldenError) -> NpyArray {
    guard let (type, bytes) = tensor(inputs[position].index) else {
      throw .inference(InferenceError(.invalidRequest("input \(position) has no value")))
    }
    do throws(NpyError) { return try NpyArray(type, tensorBytes: bytes) } catch {
      throw .inference(InferenceError(.invalidRequest("input \(position): \(error)")))
    }
  }
}

extension GoldenCase {
  /// Writes a case: each array in a file of its name, and `case.json`.
  static func store(
    _ arrays: [(name: String, array: NpyArray)], _ settings: JSON, in folder: String
  ) throws(GoldenError) {
    do throws(FileSystemError) {
      try Folder.create(at: folder)
      for (name, array) in arrays { try array.write(to: "\(folder)/\(name).npy") }
      try OutputFile.write(Array((settings.prettyText + "\n").utf8), to: "\(folder)/case.json")
    } catch {
      throw .file(error)
    }
  }
}
