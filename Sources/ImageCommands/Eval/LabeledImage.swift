// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// An image whose class somebody knows.
struct LabeledImage {
  /// The file.
  let path: String
  /// The name or number of the class.
  let label: String
  /// Where that is written, for errors.
  let location: String
}

extension LabeledImage {
  /// The images in a folder that has a folder for each class, by the names of both.
  ///
  /// Files whose names do not end as those of images, and names that begin with a dot, are no
  /// part of it.
  ///
  /// - Throws: `CommandError` where the folder cannot be read or has no such images.
  static func images(inClassFolders folder: String) throws(CommandError) -> [LabeledImage] {
    var images: [LabeledImage] = []
    for label in try names(in: folder) {
      let path = imagePath(label, in: folder)
      guard Folder.kind(of: path) == .folder else { continue }
      for name in try names(in: path) where isImage(name) {
        images.append(LabeledImage(path: "\(path)/\(name)", label: label, location: path))
      }
    }
    guard !images.isEmpty else {
      throw .data(
        "no folders with images", location: folder,
        hint: "a folder for each class is wanted, or --truth FILE that names the classes")
    }
    return images
  }

  private static func names(in folder: String) throws(CommandError) -> [String] {
    do throws(FileSystemError) {
      return try Folder.names(in: folder).filter { !$0.hasPrefix(".") }
    } catch {
      throw .file(error)
    }
  }

  private static func isImage(_ name: String) -> Bool {
    ImageFiles.extensions.contains { name.lowercased().hasSuffix(".\($0)") }
  }
}
