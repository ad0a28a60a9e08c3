// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Foundation
import MLKitImageLabelingCommon
import MLKitImageLabelingCustom
import MLKitVision

/// Says what is in images, with code as it is written for ML Kit.
///
///     swift run -c release ImageLabeling [--model FILE.tflite | --manifest FILE.json] [IMAGE …]
///
/// Without a model or images, the bundled classifier of digits looks at the bundled samples.
@main
struct ImageLabeling {
  static func main() async {
    do {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      let options = CustomImageLabelerOptions(localModel: arguments.model)
      options.confidenceThreshold = 0.1
      options.maxResultCount = 3
      let labeler = ImageLabeler.imageLabeler(options: options)
      for path in arguments.images {
        // The orientation comes from the file's Exif data.
        let image = try VisionImage(contentsOfFile: path)
        let labels = try await labeler.process(image)
        let texts = labels.map { "\($0.text) \(($0.confidence * 100).rounded() / 100)" }
        print("\(path): \(texts.joined(separator: ", "))")
      }
    } catch {
      try? FileHandle.standardError.write(
        contentsOf: Data("error: \(error.localizedDescription)\n".utf8))
      exit(1)
    }
  }

  private struct Arguments {
    let model: LocalModel
    let images: [String]

    init(_ arguments: ArraySlice<String>) throws {
      var rest = arguments
      switch rest.first {
      case "--model":
        model = LocalModel(path: rest.dropFirst().first ?? "")
        rest = rest.dropFirst(2)
      case "--manifest":
        let path = rest.dropFirst().first ?? ""
        guard let model = LocalModel(manifestPath: path) else {
          throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: path])
        }
        self.model = model
        rest = rest.dropFirst(2)
      case _:
        model = LocalModel(path: try BundledModels.path(of: BundledModels.digits))
      }
      images =
        rest.isEmpty
        ? try BundledModels.digitSamples.map { try BundledModels.path(of: $0) } : Array(rest)
    }
  }
}
