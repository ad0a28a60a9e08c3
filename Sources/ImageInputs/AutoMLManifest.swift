// SPDX-License-Identifier: Apache-2.0

import JSONDocuments
public import ModelTasks
import Tensors

/// The manifest of an AutoML Vision Edge model: which files hold the model and its labels.
///
/// ```json
/// { "modelType": "IMAGE_LABELING", "modelFile": "model.tflite", "labelsFile": "dict.txt" }
/// ```
public struct AutoMLManifest: Sendable, Equatable {
  /// The path of the model.
  public let modelPath: String
  /// The path of the label file.
  public let labelsPath: String

  /// The longest manifest that is read.
  private static let byteLimit = 1 << 20
  /// The most JSON values of a manifest.
  private static let valueLimit = 1 << 12

  /// The manifest at `path`; the files that it names lie in its folder.
  ///
  /// - Throws: `VisionError.manifest` where it cannot be read or is of another form.
  public init(path: String) throws(VisionError) {
    let storage: Storage
    do throws(FileError) { storage = try Storage(reading: path) } catch {
      throw .manifest(path: path, reason: error.description)
    }
    guard storage.byteCount <= Self.byteLimit else {
      throw .manifest(path: path, reason: "larger than 1 MiB")
    }
    try self.init(parsing: TensorBytes(copying: storage.bytes).array(), path: path)
  }

  /// The manifest that `path` holds.
  ///
  /// - Throws: `VisionError.manifest` where it is of another form.
  package init(parsing bytes: [UInt8], path: String) throws(VisionError) {
    guard
      let document = try? JSON(
        parsing: bytes, valueLimit: Self.valueLimit, allowsTrailingCommas: true),
      let modelType = document["modelType"]?.string,
      let modelFile = document["modelFile"]?.string,
      let labelsFile = document["labelsFile"]?.string
    else {
      throw .manifest(
        path: path, reason: "no JSON object with modelType, modelFile and labelsFile")
    }
    guard modelType == "IMAGE_LABELING" else {
      throw .manifest(path: path, reason: "modelType is not IMAGE_LABELING")
    }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    for name in [modelFile, labelsFile] {
      guard !name.isEmpty, !name.contains("\0"), !name.hasPrefix("/"),
        !name.split(separator: "/").contains("..")
      else { throw .manifest(path: path, reason: "'\(name)' leads out of its folder") }
    }
    modelPath = folder + modelFile
    labelsPath = folder + labelsFile
  }

  /// The labels.
  ///
  /// - Throws: `VisionError.labels` where the file cannot be read.
  public func labels() throws(VisionError) -> LabelMap {
    try VisionError.converting { () throws(TaskError) in try LabelMap(path: labelsPath) }
  }
}
