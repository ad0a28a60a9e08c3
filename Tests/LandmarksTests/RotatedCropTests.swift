// SPDX-License-Identifier: Apache-2.0

import Foundation
import ImageCodecs
import Imaging
import Landmarks
import TestSupport
import Testing

private let mediaPipe = PublishedModels.folder("mediapipe/image_to_tensor")

/// Turned parts of images.
@Suite struct RotatedCropTests {
  /// 17 × 13 pixels of which no two neighbors are alike.
  private static func drawn() throws -> PixelBuffer {
    let bytes = (0..<13 * 17 * 3).map { UInt8(truncatingIfNeeded: $0 * $0 * 7 + $0 * 31) }
    return try PixelBuffer(width: 17, height: 13, format: .rgb8, bytes: bytes)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rect: RotatedRect
    let size: (columns: Int, rows: Int)
    let border: ImageBorder
    /// The sum of all bytes, and those from a position on.
    let sum: Int
    let start: Int
    let bytes: [UInt8]
  }

  /// Computed with `boxPoints`, `getPerspectiveTransform` and `warpPerspective` of OpenCV 4.8.1.
  static let rows = [
    Row(
      testDescription: "part of the image, beyond a black border",
      rect: RotatedRect(centerX: 7.25, centerY: 5.5, width: 9, height: 11, rotation: 0.4),
      size: (6, 5), border: .zero, sum: 10_314, start: 0,
      bytes: [
        0, 0, 0, 28, 45, 21, 142, 25, 137, 95, 123, 160, 38, 211, 154, 124, 74, 167, 69, 180, 121,
        105, 157, 142, 139, 116, 111, 122, 185, 134, 218, 28, 77, 118, 150, 159,
      ]),
    Row(
      testDescription: "part of the image, beyond repeated pixels",
      rect: RotatedRect(centerX: 7.25, centerY: 5.5, width: 9, height: 11, rotation: 0.4),
      size: (6, 5), border: .replicate, sum: 11_199, start: 0,
      bytes: [
        189, 191, 208, 100, 160, 75, 168, 30, 162, 95, 123, 160, 38, 211, 154, 124, 74, 167, 69,
        180, 121, 105, 157, 142, 139, 116, 111, 122, 185, 134, 218, 28, 77, 118, 150, 159,
      ]),
    Row(
      testDescription: "more than the image, upside down, beyond a black border",
      rect: RotatedRect(centerX: 2, centerY: 11, width: 20, height: 14, rotation: -2.2),
      size: (7, 4), border: .zero, sum: 2330, start: 48,
      bytes: [
        0, 0, 0, 15, 33, 63, 73, 100, 147, 19, 86, 40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 123, 96, 77, 178,
        165, 93, 106, 92, 148, 114, 167, 63, 122, 31, 179,
      ]),
    Row(
      testDescription: "more than the image, upside down, beyond repeated pixels",
      rect: RotatedRect(centerX: 2, centerY: 11, width: 20, height: 14, rotation: -2.2),
      size: (7, 4), border: .replicate, sum: 9805, start: 50,
      bytes: [
        85, 18, 39, 75, 73, 100, 147, 41, 184, 86, 204, 17, 43, 207, 47, 157, 108, 125, 164, 207,
        161, 129, 178, 165, 93, 106, 92, 148, 114, 167, 63, 122, 31, 179,
      ]),
    Row(
      testDescription: "a quarter turn, enlarged",
      rect: RotatedRect(centerX: 8, centerY: 6, width: 3, height: 3, rotation: 1.570_796_4),
      size: (5, 5), border: .replicate, sum: 9760, start: 0,
      bytes: [
        114, 116, 132, 146, 64, 112, 145, 107, 123, 124, 132, 154, 84, 136, 202, 84, 137, 180, 150,
        76, 182, 130, 163, 98, 122, 193, 102, 125, 164, 193, 54, 158, 100, 101, 140, 83,
      ]),
  ]

  @Test(arguments: rows) func `pixels are those of OpenCV`(row: Row) throws {
    let crop = try Self.drawn().cropped(
      to: row.rect, columns: row.size.columns, rows: row.size.rows, border: row.border)
    #expect(crop.width == row.size.columns && crop.height == row.size.rows)
    #expect(crop.bytes.reduce(0) { $0 + Int($1) } == row.sum)
    #expect(Array(crop.bytes[row.start..<row.start + row.bytes.count]) == row.bytes)
  }

  @Test(arguments: ImageBorder.allCases)
  func `all of an image in its own size is the image`(border: ImageBorder) throws {
    let image = try Self.drawn()
    let all = NormalizedRect.whole.inPixels(columns: 17, rows: 13)
    #expect(try image.cropped(to: all, columns: 17, rows: 13, border: border) == image)
  }

  static let impossible = [
    RotatedRect(centerX: .nan, centerY: 1, width: 1, height: 1),
    RotatedRect(centerX: 1, centerY: 1, width: 0, height: 1),
    RotatedRect(centerX: 1, centerY: 1, width: 1, height: -1),
    RotatedRect(centerX: 1, centerY: .infinity, width: 1, height: 1),
    RotatedRect(centerX: 1, centerY: 1, width: 1, height: 1, rotation: .nan),
  ]

  @Test(arguments: impossible) func `impossible regions are refused`(rect: RotatedRect) throws {
    let image = try Self.drawn()
    #expect(throws: LandmarkError.self) {
      try image.cropped(to: rect, columns: 4, rows: 4, border: .zero)
    }
  }

  /// Corners of the largest ones are infinite.
  @Test(arguments: [Float(1e37), 3e38])
  func `a huge region far away is black, not a crash`(size: Float) throws {
    let rect = RotatedRect(centerX: size, centerY: -size, width: size, height: size, rotation: 3)
    let crop = try Self.drawn().cropped(to: rect, columns: 3, rows: 3, border: .zero)
    #expect(crop.bytes.allSatisfy { $0 == 0 })
    _ = try Self.drawn().cropped(to: rect, columns: 3, rows: 3, border: .replicate)
    #expect(throws: LandmarkError.image(.size(width: 0, height: 3))) {
      try Self.drawn().cropped(
        to: Self.rows[0].rect, columns: 0, rows: 3, border: .zero)
    }
  }

  /// MediaPipe's `convertTo`: 0 and 255 become the ends.
  @Test func `values fill their range`() throws {
    let image = try PixelBuffer(width: 3, height: 1, format: .grey8, bytes: [0, 51, 255])
    let unit = PixelValueRange.unit.values(of: image)
    #expect(unit[0] == 0 && abs(unit[1] - 0.2) < 1e-6 && unit[2] == 1)
    #expect(try PixelValueRange(lower: -0.5, upper: 0.5).values(of: image)[2] == 0.5)
    #expect(PixelValueRange.bytes.values(of: image) == [0, 51, 255])
    #expect(throws: LandmarkError.self) { try PixelValueRange(lower: 1, upper: 1) }
    #expect(throws: LandmarkError.self) { try PixelValueRange(lower: 0, upper: .nan) }
  }
}

/// MediaPipe's own cases, with its pictures in the folder that `MARTLET_TEST_MODELS` names.
@Suite(
  "image_to_tensor",
  .enabled(if: mediaPipe != nil, "MARTLET_TEST_MODELS has no mediapipe/image_to_tensor"))
struct ImageToTensorTests {
  private static let quarter = Float.pi / 2
  private static let slant = Float.pi * -15 / 180

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String { "\(picture) \(format)" }
    let picture: String
    let rect: NormalizedRect
    let columns: Int
    let rows: Int
    let keepsAspect: Bool
    var format = PixelFormat.rgb8

    init(
      _ picture: String, _ rect: [Float], _ size: (Int, Int), keepsAspect: Bool,
      _ format: PixelFormat = .rgb8
    ) {
      self.picture = picture
      self.rect = NormalizedRect(
        centerX: rect[0], centerY: rect[1], width: rect[2], height: rect[3], rotation: rect[4])
      (columns, rows) = size
      self.keepsAspect = keepsAspect
      self.format = format
    }
  }

  private static let medium: [Float] = [0.65, 0.4, 0.5, 0.5]
  private static let large: [Float] = [0.5, 0.5, 1.5, 1.1]

  /// The cases of `image_to_tensor_calculator_test.cc`; pictures whose name says so have a black
  /// border.
  static let rows =
    ["", "_border_zero"].flatMap { border in
      [
        Row(
          "medium_sub_rect_keep_aspect" + border, medium + [0], (256, 256), keepsAspect: true),
        Row(
          "medium_sub_rect_keep_aspect_with_rotation" + border, medium + [quarter], (256, 256),
          keepsAspect: true),
        Row(
          "medium_sub_rect_with_rotation" + border, medium + [-quarter / 2], (256, 256),
          keepsAspect: false),
        Row("large_sub_rect" + border, large + [0], (128, 128), keepsAspect: false),
        Row("large_sub_rect_keep_aspect" + border, large + [0], (128, 128), keepsAspect: true),
        Row(
          "large_sub_rect_keep_aspect_with_rotation" + border, large + [slant], (128, 128),
          keepsAspect: true, .rgba8),
        Row(
          "large_sub_rect_keep_aspect_with_rotation" + border, large + [slant], (128, 128),
          keepsAspect: true, .grey8),
      ]
    } + [
      Row("noop_except_range", [0.5, 0.5, 1, 1, 0], (64, 128), keepsAspect: true, .rgba8),
      Row("noop_except_range", [0.5, 0.5, 1, 1, 0], (64, 128), keepsAspect: false),
    ]

  /// MediaPipe allows 5 steps of 255; its JPEG decoder differs by some of them already.
  @Test(arguments: rows) func `pixels are within MediaPipe's tolerance`(row: Row) throws {
    let folder = try #require(mediaPipe)
    let input = try [UInt8](Data(contentsOf: URL(filePath: "\(folder)/input.jpg")))
    let wanted = try [UInt8](Data(contentsOf: URL(filePath: "\(folder)/\(row.picture).png")))
    let image = PixelBuffer(try JPEG.decode(input.span)).converted(to: row.format)
    let target: PixelFormat = row.format == .grey8 ? .grey8 : .rgb8
    let expected = PixelBuffer(try PNG.decode(wanted)).converted(to: target)
    var rect = row.rect.inPixels(columns: image.width, rows: image.height)
    if row.keepsAspect {
      rect = try Letterbox.fitting(rect, columns: row.columns, rows: row.rows).rect
    }
    let crop = try image.cropped(
      to: rect, columns: row.columns, rows: row.rows,
      border: row.picture.hasSuffix("border_zero") ? .zero : .replicate
    ).converted(to: target)
    try #require(crop.bytes.count == expected.bytes.count)
    let differences = zip(crop.bytes, expected.bytes).map { abs(Int($0) - Int($1)) }
    #expect(differences.max() ?? 256 <= 5)
  }
}
