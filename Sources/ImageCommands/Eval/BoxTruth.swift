// SPDX-License-Identifier: Apache-2.0
//
// The format: https://cocodataset.org/#format-data, object detection.

import Imaging
import JSONDocuments
import VisionTasks

/// The boxes of COCO annotations.
struct BoxTruth {
  /// An image and what is in it; `classIndex` of each box is a category's id.
  struct Image: Sendable {
    let path: String
    var boxes: [DetectionScore.Truth] = []
  }

  /// What a category is called, and where that is written.
  struct Category: Sendable {
    let name: String
    let location: String
  }

  /// The images in the order of their ids, as pycocotools evaluates them.
  let images: [Image]
  /// The categories by their ids.
  let categories: [Int: Category]

  /// The most boxes of one image.
  static let boxLimit = 10_000

  /// The annotations in a JSON document.
  ///
  /// - Parameters:
  ///   - bytes: the document.
  ///   - path: its file, for errors.
  ///   - folder: what the names of images start from.
  /// - Throws: `CommandError` that names the member that is missing or wrong.
  init(_ bytes: [UInt8], path: String, folder: String) throws(CommandError) {
    let document: JSON
    do throws(JSONError) { document = try JSON(parsing: bytes) } catch {
      throw .json(error, file: path)
    }
    let reader = Reader(path: path, folder: folder)
    categories = try reader.categories(document)
    var images = try reader.images(document)
    try reader.addBoxes(document, to: &images, categories)
    guard !images.isEmpty else { throw .data("no images", location: path) }
    self.images = images.sorted { $0.key < $1.key }.map(\.value)
  }

  private struct Reader {
    let path: String
    let folder: String

    func categories(_ document: JSON) throws(CommandError) -> [Int: Category] {
      var categories: [Int: Category] = [:]
      for (index, entry) in try list("categories", document).enumerated() {
        let location = "categories[\(index)]"
        let id = try integer("id", entry, location)
        guard let name = entry["name"]?.string, !name.isEmpty else {
          throw error("a name is wanted", "\(location).name")
        }
        guard categories[id] == nil else {
          throw error("id \(id) is there twice", "\(location).id")
        }
        categories[id] = Category(name: name, location: "\(path) › \(location).name")
      }
      return categories
    }

    func images(_ document: JSON) throws(CommandError) -> [Int: Image] {
      var images: [Int: Image] = [:]
      for (index, entry) in try list("images", document).enumerated() {
        let location = "images[\(index)]"
        let id = try integer("id", entry, location)
        guard let name = entry["file_name"]?.string, !name.isEmpty else {
          throw error("the name of a file is wanted", "\(location).file_name")
        }
        guard images[id] == nil else { throw error("id \(id) is there twice", "\(location).id") }
        images[id] = Image(path: imagePath(name, in: folder))
      }
      return images
    }

    func addBoxes(
      _ document: JSON, to images: inout [Int: Image], _ categories: [Int: Category]
    ) throws(CommandError) {
      for (index, entry) in try list("annotations", document).enumerated() {
        let location = "annotations[\(index)]"
        let image = try integer("image_id", entry, location)
        let category = try integer("category_id", entry, location)
        guard let count = images[image]?.boxes.count else {
          throw error("no image has id \(image)", "\(location).image_id")
        }
        guard categories[category] != nil else {
          throw error("no category has id \(category)", "\(location).category_id")
        }
        guard count < BoxTruth.boxLimit else {
          throw error("more than \(BoxTruth.boxLimit) boxes in one image", location)
        }
        images[image]?.boxes.append(try box(entry, location, category))
      }
    }

    private func box(
      _ entry: JSON, _ location: String, _ category: Int
    ) throws(CommandError) -> DetectionScore.Truth {
      let numbers = entry["bbox"]?.array?.compactMap(\.number) ?? []
      guard numbers.count == 4, entry["bbox"]?.array?.count == 4, numbers[2] >= 0, numbers[3] >= 0
      else {
        throw error("x, y, width and height are wanted, none of them negative", "\(location).bbox")
      }
      let area = entry["area"]
      guard area == nil || area?.number.map({ $0 >= 0 }) == true else {
        throw error("a number of pixels is wanted", "\(location).area")
      }
      let isCrowd: Bool
      switch entry["iscrowd"] {
      case nil, .integer(0), .bool(false): isCrowd = false
      case .integer(1), .bool(true): isCrowd = true
      case _: throw error("0 or 1 is wanted", "\(location).iscrowd")
      }
      return DetectionScore.Truth(
        frame: ImageRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]),
        classIndex: category, area: area?.number, isCrowd: isCrowd)
    }

    private func list(_ key: String, _ document: JSON) throws(CommandError) -> [JSON] {
      guard let list = document[key]?.array else { throw error("a list is wanted", key) }
      return list
    }

    private func integer(
      _ key: String, _ entry: JSON, _ location: String
    ) throws(CommandError) -> Int {
      guard let number = entry[key]?.integer else {
        throw error("an integer is wanted", "\(location).\(key)")
      }
      return number
    }

    private func error(_ reason: String, _ location: String) -> CommandError {
      .data(reason, location: "\(path) › \(location)")
    }
  }
}
