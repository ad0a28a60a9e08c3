// SPDX-License-Identifier: Apache-2.0

import Compression
import FlatBuffers
import Martlet
import ModelFormat

/// A model's metadata together with its associated files.
struct ModelNotes {
  let metadata: ModelMetadata?
  private let files: AssociatedFiles?
  private let model: Model

  /// The notes of `model`; nothing where it has none.
  ///
  /// - Throws: `VisionError.incompatibleModel` where there are some that cannot be read.
  init(_ model: Model) throws(VisionError) {
    self.model = model
    let storage = model.storage
    do {
      metadata = try model.file.modelMetadata(in: storage.bytes)
      files = metadata == nil ? nil : try AssociatedFiles(in: storage.bytes)
    } catch {
      throw .incompatibleModel("its metadata cannot be read: \(error)")
    }
  }

  /// What the metadata says about each output.
  var outputs: [TensorMetadata]? { metadata?.subgraphs.first?.outputs }

  /// The content of an associated file.
  func contents(of file: AssociatedFile) throws(VisionError) -> [UInt8] {
    guard let name = file.name, let files else { throw .labels("a file without a name") }
    let storage = model.storage
    do {
      return try files.contents(of: name, in: storage.bytes)
    } catch {
      throw .labels("'\(name)' cannot be read from the model: \(error)")
    }
  }

  /// The labels of an output, in `locale` where there are some.
  func labels(_ output: TensorMetadata, locale: String) throws(VisionError) -> LabelMap? {
    let files = output.associatedFiles.filter { $0.kind == .tensorAxisLabels }
    guard let first = files.first else { return nil }
    let display = files.first { $0.locale == locale }
    return LabelMap(
      classNames: LabelMap.lines(of: try contents(of: first)),
      displayNames: try display.map { file throws(VisionError) in
        LabelMap.lines(of: try contents(of: file))
      })
  }
}
