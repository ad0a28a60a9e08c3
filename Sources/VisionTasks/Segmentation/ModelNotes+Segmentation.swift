// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import MetadataFormat
import ModelTasks

extension ModelNotes {
  /// What makes confidences, by MediaPipe's metadata for segmenters; nil where there is none.
  ///
  /// Schema: MediaPipe's `tasks/metadata/image_segmenter_metadata_schema.fbs`.
  ///
  /// - Throws: `VisionError.incompatibleModel` where there is some that cannot be read.
  func segmentationActivation() throws(VisionError) -> SegmentationActivation? {
    guard let bytes = customMetadata(named: "SEGMENTER_METADATA") else { return nil }
    do throws(FlatBufferError) {
      let code: Int8 = try Table(root: bytes.span, identifier: "V001").scalar(0)
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
