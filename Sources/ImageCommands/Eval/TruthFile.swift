// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// The content of the file that says what is in images.
enum TruthFile {
  /// A class for each image.
  case labels([LabeledImage])
  /// Boxes for each image.
  case boxes(BoxTruth)

  /// The content of the file at `path`; `-` is standard input.
  ///
  /// A name that ends in `.json`, `.csv` or `.tsv` says what the file is. Of another, the content
  /// does: a document that begins with a brace, or lines with a tab, or with a comma.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - folder: what the names of images start from; nil for the file's own folder.
  ///   - console: where standard input comes from.
  /// - Throws: `CommandError` that names the file and the line or member.
  init(at path: String, folder: String?, _ console: any Console) throws(CommandError) {
    let bytes = try console.read(path)
    let folder = folder ?? Folder.parent(of: path) ?? ""
    let name = path.lowercased()
    let isNamed = [".json", ".csv", ".tsv"].contains { name.hasSuffix($0) }
    let content = bytes.drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if name.hasSuffix(".json") || !isNamed && content.first == UInt8(ascii: "{") {
      self = .boxes(try BoxTruth(bytes, path: path, folder: folder))
      return
    }
    let firstLine = content.prefix { $0 != UInt8(ascii: "\n") }
    let hasTabs = name.hasSuffix(".tsv") || !isNamed && firstLine.contains(UInt8(ascii: "\t"))
    let table = try DelimitedTable(
      bytes, separator: UInt8(ascii: hasTabs ? "\t" : ","), path: path)
    self = .labels(try LabeledImage.images(of: table, path: path, folder: folder))
  }
}

extension LabeledImage {
  /// What the first field of a heading may be.
  private static let headings: Set = ["picture", "image", "file", "filename", "file_name", "path"]

  /// The images that the rows of a table name, each with its label.
  static func images(
    of table: DelimitedTable, path: String, folder: String
  ) throws(CommandError) -> [LabeledImage] {
    var rows = table.rows[...]
    if let first = rows.first?.fields.first, headings.contains(first.lowercased()) {
      rows = rows.dropFirst()
    }
    var images: [LabeledImage] = []
    for row in rows {
      let location = "\(path), line \(row.line)"
      guard row.fields.count == 2, row.fields.allSatisfy({ !$0.isEmpty }) else {
        throw .data("a line wants an image and a label", location: location)
      }
      images.append(
        LabeledImage(
          path: imagePath(row.fields[0], in: folder), label: row.fields[1], location: location))
    }
    guard !images.isEmpty else { throw .data("no image has a label", location: path) }
    return images
  }
}

/// The path of a file that is named from a folder on; the empty folder is the current one.
func imagePath(_ name: String, in folder: String) -> String {
  if name.hasPrefix("/") || folder.isEmpty { return name }
  return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
}
