// SPDX-License-Identifier: Apache-2.0

package import MetadataFormat

extension AssociatedFile.Kind {
  /// The kind in the words of documents and reports.
  package var word: String {
    switch self {
    case .unknown: "file"
    case .descriptions: "descriptions"
    case .tensorAxisLabels: "labels"
    case .tensorValueLabels: "value labels"
    case .tensorAxisScoreCalibration: "score calibration"
    case .vocabulary: "vocabulary"
    case .scannIndexFile: "index"
    }
  }
}

extension Content {
  /// The contents in words; nil where the metadata names none.
  package var words: String? {
    switch properties {
    case .feature: "feature"
    case .image(let image): "image \(image.colorSpace)"
    case .boundingBox(let box): "boxes as \(box.type), \(box.coordinateType)"
    case .audio(let audio): "sound, \(audio.sampleRate) Hz, \(audio.channels) channels"
    case .unknown(let number): "unknown content \(number)"
    case nil: nil
    }
  }
}
