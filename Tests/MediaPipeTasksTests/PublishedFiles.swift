// SPDX-License-Identifier: Apache-2.0

import AppleCompatibility
import Foundation
import ImageCodecs
import Imaging
import MediaPipeTasksVision
import TestSupport

/// Models, images and sounds of other projects.
enum PublishedFiles {
  static func has(_ names: String...) -> Bool { PublishedModels.haveTasks(names) }

  static func path(_ name: String) -> String { PublishedModels.task(name) }

  /// The image of a file.
  static func image(_ name: String) throws -> UIImage {
    guard let image = UIImage(contentsOfFile: path(name)) else { throw Missing(name: name) }
    return image
  }

  /// The same scene as in a file, stored so that `orientation` turns it upright.
  static func image(_ name: String, stored orientation: UIImage.Orientation) throws -> UIImage {
    guard let upright = try image(name).cgImage else { throw Missing(name: name) }
    let exif: ImageOrientation
    switch orientation {
    case .left: exif = .right
    case .right: exif = .left
    case .down: exif = .down
    case .up: exif = .up
    case _: throw Missing(name: "\(name) mirrored")
    }
    return UIImage(
      cgImage: CGImage(upright.pixels.upright(from: exif)), scale: 1, orientation: orientation)
  }

  struct Missing: Error {
    let name: String
  }
}

/// The error that `body` throws, as MediaPipe's tests look at errors; nil for none.
func thrown(_ body: () throws -> Void) -> NSError? {
  do {
    try body()
    return nil
  } catch {
    return error as NSError
  }
}

extension NSError {
  /// Domain, code and text.
  var parts: [String] { [domain, "\(code)", localizedDescription] }

  /// What MediaPipe's errors of invalid arguments have as their parts.
  static func invalidArgument(_ text: String) -> [String] {
    ["com.google.mediapipe.tasks", "3", text]
  }
}

/// Texts of errors that MediaPipe's tests for iOS name, too.
enum ErrorText {
  static let noModel =
    "INVALID_ARGUMENT: ExternalFile must specify at least one of 'file_content', 'file_name', 'file_pointer_meta' or 'file_descriptor_meta'."
  static let bothLists =
    "INVALID_ARGUMENT: `category_allowlist` and `category_denylist` are mutually exclusive options."
  static let noResults = "INVALID_ARGUMENT: Invalid `max_results` option: value must be != 0."
  static let order = "INVALID_ARGUMENT: Input timestamp must be monotonically increasing."
}
