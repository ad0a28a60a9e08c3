// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// A picture whose class somebody knows.
struct LabelledPicture {
  /// The file.
  let path: String
  /// The name or number of the class.
  let label: String
  /// Where that is written, for errors.
  let place: String
}

extension LabelledPicture {
  /// The pictures in a folder that has a folder for each class, by the names of both.
  ///
  /// Files whose names do not end as those of pictures, and names that begin with a dot, are no
  /// part of it.
  ///
  /// - Throws: `CommandError` where the folder cannot be read or has no such pictures.
  static func pictures(inClassFolders folder: String) throws(CommandError) -> [LabelledPicture] {
    var pictures: [LabelledPicture] = []
    for label in try names(in: folder) {
      let path = picturePath(label, in: folder)
      guard Folder.kind(of: path) == .folder else { continue }
      for name in try names(in: path) where isPicture(name) {
        pictures.append(LabelledPicture(path: "\(path)/\(name)", label: label, place: path))
      }
    }
    guard !pictures.isEmpty else {
      throw .data(
        "no folders with pictures", place: folder,
        hint: "a folder for each class is wanted, or --truth FILE that names the classes")
    }
    return pictures
  }

  private static func names(in folder: String) throws(CommandError) -> [String] {
    do throws(FileSystemError) {
      return try Folder.names(in: folder).filter { !$0.hasPrefix(".") }
    } catch {
      throw .file(error)
    }
  }

  private static func isPicture(_ name: String) -> Bool {
    ImageCommand.pictureExtensions.contains { name.lowercased().hasSuffix(".\($0)") }
  }
}
