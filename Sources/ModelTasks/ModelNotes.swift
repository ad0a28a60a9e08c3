// SPDX-License-Identifier: Apache-2.0

import Compression
import FlatBuffers
package import Martlet
import ModelFormat
import Tensors

/// A model's metadata together with its associated files.
package struct ModelNotes: Sendable {
  /// What the model says about itself; nil where it says nothing.
  package let metadata: ModelMetadata?
  /// What Ultralytics' exports say about themselves; nil for other models.
  package let ultralytics: UltralyticsNotes?
  private let files: AssociatedFiles?
  private let model: Model

  /// The notes of `model`; nothing where it has none.
  ///
  /// - Throws: `TaskError.incompatibleModel` where there are some that cannot be read.
  package init(_ model: Model) throws(TaskError) {
    self.model = model
    let storage = model.storage
    do {
      metadata = try model.file.modelMetadata(in: storage.bytes)
      files = metadata == nil ? nil : try AssociatedFiles(in: storage.bytes, limits: model.limits)
    } catch {
      throw .incompatibleModel("its metadata cannot be read: \(error)")
    }
    // Some exports have notes without metadata; whatever else follows such a model is passed over.
    let noted = files ?? (try? AssociatedFiles(in: storage.bytes, limits: model.limits))
    ultralytics = noted.flatMap { Self.ultralytics($0, in: storage.bytes) }
  }

  /// The notes in one of the files that Ultralytics' exports write.
  private static func ultralytics(
    _ files: AssociatedFiles, in bytes: Span<UInt8>
  ) -> UltralyticsNotes? {
    let names = files.names.filter { UltralyticsNotes.fileNames.contains($0) }
    for name in names {
      let limit = UltralyticsNotes.byteLimit
      guard let file = try? files.contents(of: name, in: bytes, limit: limit),
        let notes = UltralyticsNotes(file)
      else { continue }
      return notes
    }
    return nil
  }

  /// What the metadata says about each output.
  package var outputs: [TensorMetadata]? { metadata?.subgraphs.first?.outputs }

  /// The content of an associated file.
  package func contents(of file: AssociatedFile) throws(TaskError) -> [UInt8] {
    guard let name = file.name, let files else { throw .labels("a file without a name") }
    let storage = model.storage
    do {
      return try files.contents(of: name, in: storage.bytes)
    } catch {
      throw .labels("'\(name)' cannot be read from the model: \(error)")
    }
  }

  /// The labels of an output, in `locale` where there are some.
  package func labels(
    _ output: TensorMetadata, _ kind: AssociatedFile.Kind, locale: String
  ) throws(TaskError) -> LabelMap? {
    let files = output.associatedFiles.filter { $0.kind == kind }
    guard let first = files.first else { return nil }
    if let ultralytics, UltralyticsNotes.fileNames.contains(first.name ?? "") {
      return LabelMap(classNames: ultralytics.classNames)
    }
    let display = files.first { $0.locale == locale }
    return LabelMap(
      classNames: LabelMap.lines(of: try contents(of: first)),
      displayNames: try display.map { file throws(TaskError) in
        LabelMap.lines(of: try contents(of: file))
      })
  }

  /// How the scores of an output are calibrated, where they are.
  package func calibration(_ output: TensorMetadata) throws(TaskError) -> ScoreCalibration? {
    for unit in output.processUnits {
      guard case .scoreCalibration(let options) = unit else { continue }
      let files = output.associatedFiles.filter { $0.kind == .tensorAxisScoreCalibration }
      guard let file = files.first else {
        throw .labels("the metadata names a score calibration but no file for it")
      }
      return try ScoreCalibration(file: try contents(of: file), options: options)
    }
    return nil
  }
}

extension TensorMetadata {
  /// The score below which results are dropped, where the metadata names one.
  package var scoreThreshold: Float? {
    for unit in processUnits {
      if case .scoreThresholding(let options) = unit { return options.globalScoreThreshold }
    }
    return nil
  }
}

extension Model {
  /// The labels of each of the main graph's outputs, by the metadata; nil for one without, or with
  /// labels that cannot be read or are not as many as the output's last axis has elements.
  package var outputLabels: [LabelMap?] {
    guard let notes = try? ModelNotes(self), let subgraph = file.subgraphs.first else { return [] }
    return (notes.outputs ?? []).enumerated().map { position, output in
      guard subgraph.outputs.indices.contains(position),
        let labels = try? notes.labels(output, .tensorAxisLabels, locale: "en")
      else { return nil }
      let type = subgraph.tensors[subgraph.outputs[position]].type
      return type.shape.dimensions.last == labels.count ? labels : nil
    }
  }
}
