// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import MetadataFormat

/// What MediaPipe's metadata for detectors says: anchors, and how encodings become boxes.
///
/// Schema: MediaPipe's `tasks/metadata/object_detector_metadata_schema.fbs`. Models with it have
/// two outputs, encodings and scores.
package enum DetectorMetadata {
  /// The name under which models carry it.
  package static let name = "DETECTOR_METADATA"

  /// The most anchors that are read.
  private static let anchorLimit = 1 << 20

  /// How raw heads are decoded by metadata; encodings are in the order y, x, height, width, as
  /// MediaPipe reads them.
  ///
  /// - Throws: `VisionError.incompatibleModel` where the bytes are no such metadata or make no
  ///   sense.
  package static func rawHeads(_ bytes: [UInt8]) throws(VisionError) -> RawHeads {
    do throws(FlatBufferError) {
      let root = try Table(root: bytes.span, identifier: "V001")
      var heads = RawHeads(anchors: try anchors(root))
      guard let decoding = try root.table(2) else {
        throw FlatBufferError(.unknownValue(field: "tensors_decoding_options", value: 0), at: 0)
      }
      heads.xScale = try decoding.float(6)
      heads.yScale = try decoding.float(7)
      heads.widthScale = try decoding.float(8)
      heads.heightScale = try decoding.float(9)
      heads.hasLogarithmicSizes = try decoding.bool(10)
      heads.scoreFunction = try decoding.bool(11) ? .sigmoid : .identity
      return heads
    } catch {
      throw .incompatibleModel("its \(name) cannot be read: \(error)")
    }
  }

  private static func anchors(_ root: borrowing Table) throws(FlatBufferError) -> [Anchor] {
    guard let options = try root.table(1), let schema = try options.table(0) else { return [] }
    let tables = try schema.tables(0)
    guard tables.count <= anchorLimit else {
      throw FlatBufferError(.unknownValue(field: "anchors", value: tables.count), at: 0)
    }
    var anchors: [Anchor] = []
    for index in 0..<tables.count {
      let table = try tables.table(at: index)
      anchors.append(
        Anchor(
          centerX: try table.float(0), centerY: try table.float(1), width: try table.float(2),
          height: try table.float(3)))
    }
    return anchors
  }
}
