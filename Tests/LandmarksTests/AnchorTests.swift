// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import TestSupport
import Testing

private let mediaPipe = PublishedModels.folder("mediapipe/anchors")

/// Anchors of MediaPipe's detectors and of feature pyramids.
@Suite struct AnchorTests {
  static let counts: [(String, AnchorGrid, Int)] = [
    ("short-range faces", .shortRangeFaces, 896), ("full-range faces", .fullRangeFaces, 2304),
    ("back-camera faces", .backCameraFaces, 896), ("palms", .palms, 2016),
    ("large palms", .largePalms, 2944), ("poses", .poses, 2254), ("small poses", .smallPoses, 896),
  ]

  @Test(arguments: counts)
  func `grids have as many anchors as the models rows`(
    name: String, grid: AnchorGrid, count: Int
  ) throws {
    #expect(try grid.anchors().count == count)
  }

  /// By hand, at level 6 of 640 × 640: stride 64, boxes of 192 pixels times 2^(k/3).
  @Test func `a pyramid has boxes of each ratio and octave fraction`() throws {
    var grid = MultiscaleAnchorGrid(inputWidth: 640, inputHeight: 640, levels: 6...7)
    grid.anchorScale = 3
    let anchors = try grid.anchors()
    #expect(anchors.count == 9 * (100 + 25))
    let expected: [(Int, Float, Float, Float, Float)] = [
      (0, 0.05, 0.05, 0.3, 0.3), (1, 0.05, 0.05, 0.377_976, 0.377_976),
      (3, 0.05, 0.05, 0.424_264, 0.212_132), (6, 0.05, 0.05, 0.212_132, 0.424_264),
      (9, 0.15, 0.05, 0.3, 0.3), (900, 0.1, 0.1, 0.6, 0.6),
    ]
    for (index, x, y, width, height) in expected {
      let anchor = anchors[index]
      #expect(abs(anchor.centerX - x) < 1e-5 && abs(anchor.centerY - y) < 1e-5)
      #expect(abs(anchor.width - width) < 1e-5 && abs(anchor.height - height) < 1e-5)
    }
    grid.isNormalized = false
    #expect(try grid.anchors()[0] == Anchor(centerX: 32, centerY: 32, width: 192, height: 192))
  }

  /// Where the input is no multiple of the stride, boxes start at the edge.
  @Test func `strides that do not fill a side start at its edge`() throws {
    var grid = MultiscaleAnchorGrid(inputWidth: 100, inputHeight: 128, levels: 6...6)
    grid.isNormalized = false
    let anchor = try grid.anchors()[0]
    #expect(anchor.centerX == 0 && anchor.centerY == 32)
    grid.aspectRatios = [-1]
    #expect(throws: LandmarkError.self) { try grid.anchors() }
    let huge = MultiscaleAnchorGrid(inputWidth: 65_536, inputHeight: 65_536, levels: 0...0)
    #expect(throws: LandmarkError.self) { try huge.anchors() }
  }

  static let goldens: [(Int, [Anchor])] = {
    var faces = AnchorGrid(inputWidth: 256, inputHeight: 256, strides: [8, 16, 32, 32, 32])
    (faces.minScale, faces.maxScale) = (0.117_187_5, 0.75)
    (faces.aspectRatios, faces.hasReducedFirstLayer, faces.hasUnitSizes) = ([1], false, true)
    var mobile = AnchorGrid(inputWidth: 300, inputHeight: 300)
    mobile.aspectRatios = [1, 2, 0.5, 3, 0.3333]
    var pyramid = MultiscaleAnchorGrid(inputWidth: 640, inputHeight: 640, levels: 6...7)
    pyramid.anchorScale = 3
    return [faces.anchors, mobile.anchors, pyramid.anchors].enumerated().compactMap {
      guard let anchors = try? $1() else { return nil }
      return ($0, anchors)
    }
  }()

  /// The files of `ssd_anchors_calculator_test.cc`, with its tolerance.
  @Test(
    .enabled(if: mediaPipe != nil, "MARTLET_TEST_MODELS has no mediapipe/anchors"),
    arguments: goldens)
  func `anchors are those of MediaPipe's golden files`(index: Int, anchors: [Anchor]) throws {
    let folder = try #require(mediaPipe)
    let text = try String(
      contentsOfFile: "\(folder)/anchor_golden_file_\(index).txt", encoding: .utf8)
    let lines = text.split(separator: "\n")
    try #require(lines.count == anchors.count)
    for (line, anchor) in zip(lines, anchors) {
      let wanted = line.split(separator: " ").compactMap { Float($0) }
      let numbers = [anchor.centerX, anchor.centerY, anchor.width, anchor.height]
      #expect(zip(numbers, wanted).allSatisfy { abs($0 - $1) < 1e-5 }, "\(line)")
    }
  }
}
