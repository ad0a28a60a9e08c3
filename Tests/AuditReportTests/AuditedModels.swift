// SPDX-License-Identifier: Apache-2.0

import AuditFacts
import AuditReports
import FileAccess
import Foundation
import ImageCodecs
import Imaging
import Martlet
import Tensors

/// Models and images of the repository.
enum AuditedModels {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// The digit classifier in a number format.
  static func digits(_ format: String) throws -> Model {
    try Model(path: "\(root)/Models/digits/digits_\(format).tflite")
  }

  /// A bundled image of a digit.
  static func image(of digit: Int) throws -> PixelBuffer {
    let bytes = try InputFile.bytes(at: "\(root)/Models/digits/samples/digit_\(digit).png")
    return try PixelBuffer(ImageFile.decode(bytes))
  }

  /// The report of the digit classifier on an image of a three.
  static func digitReport(_ format: String = "int8") throws -> AuditReport {
    let interpreter = try Interpreter(digits(format))
    let image = try AuditedImage(
      image(of: 3), fileName: "digit_3.png", to: interpreter)
    return try AuditReport(
      of: interpreter, fileName: "digits_\(format).tflite", image: image)
  }
}
