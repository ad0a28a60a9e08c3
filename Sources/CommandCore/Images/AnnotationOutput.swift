// SPDX-License-Identifier: Apache-2.0

import FileAccess
import ImageCodecs
package import Imaging

/// Where annotated images go: a PNG file, or a folder for several.
package enum AnnotationOutput {
  /// The path of a file.
  case file(String)
  /// The path of a folder.
  case folder(String)

  /// The option of images that are drawn into.
  package static let option = "annotate"

  /// What the path that `--annotate` gives is to be.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - imageCount: how many images there are; nil for the frames of a stream.
  ///   - arguments: the arguments of the command.
  /// - Throws: `CommandError.usage` where it names one image for several, or no PNG file.
  package init(
    _ path: String, imageCount: Int?, _ arguments: ParsedArguments
  ) throws(CommandError) {
    let isFolder = path.hasSuffix("/") || Folder.kind(of: path) == .folder
    guard imageCount.map({ $0 > 1 }) ?? true || isFolder else {
      try arguments.checkPNG(path, option: Self.option)
      self = .file(path)
      return
    }
    let name = path.lowercased()
    guard
      isFolder
        || path != "-" && !ImageFiles.extensions.contains(where: { name.hasSuffix(".\($0)") })
    else {
      throw arguments.usage(
        "'\(path)' for '--annotate', wanted a folder for "
          + (imageCount.map { "\($0) images" } ?? "frames"))
    }
    self = .folder(path.hasSuffix("/") && path.count > 1 ? String(path.dropLast()) : path)
  }

  /// Writes an image; returns the path of the file.
  package func write(
    _ image: PixelBuffer, of source: String, number: Int, _ console: any Console
  ) throws(CommandError) -> String {
    let file: [UInt8]
    do throws(PNGError) { file = try image.encodedAsPNG() } catch {
      throw .data("\(error)", location: source)
    }
    switch self {
    case .file(let path):
      try console.write(file, to: path)
      return path
    case .folder(let folder):
      do throws(FileSystemError) { try Folder.create(at: folder) } catch { throw .file(error) }
      let path = "\(folder)/annotated_\(number).png"
      try console.write(file, to: path)
      return path
    }
  }
}
