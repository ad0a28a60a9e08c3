// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Martlet
import MetadataFormat
import ModelTasks

extension ModelNotes {
  /// What makes confidences, by MediaPipe's metadata for segmenters; nil where there is none.
  ///
  /// Schema: MediaPipe's `tasks/metadata/image_segmenter_metadata_schema.fbs`.
  ///
  /// - Throws: `VisionError.incompatibleModel` where there is some that cannot be read.
  func segmentationActivation() throws(VisionError) -> SegmentationActivation? {
    guard let bytes = customMetadata(named: SegmentationActivation.metadataName) else { return nil }
    do throws(FlatBufferError) {
      let code: Int8 = try Table(
        root: bytes.span, identifier: SegmentationActivation.metadataIdentifier
      ).scalar(0)
      guard let activation = SegmentationActivation(rawValue: code) else {
        throw FlatBufferError(.unknownValue(field: "activation", value: Int(code)), at: 0)
      }
      return activation
    } catch {
      throw .incompatibleModel("its SEGMENTER_METADATA cannot be read: \(error)")
    }
  }

  /// The bytes for programs that know this name; nil where the model has none.
  func customMetadata(named name: String) -> [UInt8]? {
    metadata?.subgraphs.first?.customMetadata.first { $0.name == name }?.data
  }

  /// The labels along the last axis of the output at a position; nil where there are none.
  func labels(ofOutput position: Int, locale: String) throws(VisionError) -> LabelMap? {
    guard let outputs, outputs.indices.contains(position) else { return nil }
    return try VisionError.converting { () throws(TaskError) in
      try labels(outputs[position], .tensorAxisLabels, locale: locale)
    }
  }
}

extension SegmentationActivation {
  /// The name of MediaPipe's metadata for segmenters.
  package static let metadataName = "SEGMENTER_METADATA"
  fileprivate static let metadataIdentifier = "V001"

  /// The activation as MediaPipe's metadata for segmenters.
  var metadata: CustomMetadata {
    // The field's default is left out by writers, and read as none.
    var fields: [Int: FlatField] = [1: .string("1.0.0")]
    if self != .none { fields[0] = .int(rawValue) }
    return CustomMetadata(
      name: Self.metadataName,
      data: FlatTable(fields).serialized(identifier: Self.metadataIdentifier))
  }

  /// What makes confidences, by a model's metadata; nil where it says nothing.
  ///
  /// - Throws: `VisionError.incompatibleModel` where that cannot be read.
  package static func described(by model: Model) throws(VisionError) -> SegmentationActivation? {
    try ModelNotes(forVision: model).segmentationActivation()
  }
}
