// SPDX-License-Identifier: Apache-2.0

import Testing
import VisionTasks

/// Anchors of raw heads.
@Suite struct DetectionAnchorTests {
  /// Center, width and height, computed with NumPy in double precision after TensorFlow's
  /// `multiple_grid_anchor_generator`: scales 0.2 to 0.95, ratios 1, 2, ½, 3, ⅓ and grids of 19,
  /// 10, 5, 3, 2 and 1 positions.
  static let rows: [(Int, [Float])] = [
    (0, [0.026316, 0.026316, 0.1, 0.1]), (1, [0.026316, 0.026316, 0.282843, 0.141421]),
    (2, [0.026316, 0.026316, 0.141421, 0.282843]),
    (1082, [0.973684, 0.973684, 0.141421, 0.282843]), (1083, [0.05, 0.05, 0.35, 0.35]),
    (1084, [0.05, 0.05, 0.494975, 0.247487]), (1088, [0.05, 0.05, 0.41833, 0.41833]),
    (1682, [0.95, 0.95, 0.41833, 0.41833]), (1683, [0.1, 0.1, 0.5, 0.5]),
    (1911, [0.5, 0.5, 0.95, 0.95]), (1916, [0.5, 0.5, 0.974679, 0.974679]),
  ]

  @Test(arguments: rows)
  func `the grid for 300 × 300 pixels is that of SSD MobileNet`(
    index: Int, expected: [Float]
  ) throws {
    let anchors = try AnchorGrid(inputWidth: 300, inputHeight: 300).anchors()
    try #require(anchors.count == 1917)
    let anchor = anchors[index]
    let numbers = [anchor.centerX, anchor.centerY, anchor.width, anchor.height]
    for (number, wanted) in zip(numbers, expected) { #expect(abs(number - wanted) < 1e-6) }
  }

  /// 16 × 16 positions with 2 anchors and 8 × 8 with 6; 48 × 48 with 1.
  @Test func `faces have anchors of size 1`() throws {
    let near = try AnchorGrid.shortRangeFaces.anchors()
    #expect(near.count == 896)
    #expect(near[0] == Anchor(centerX: 0.03125, centerY: 0.03125, width: 1, height: 1))
    #expect(near[1] == near[0])
    #expect(near[2].centerX == 0.09375)
    #expect(near[512] == Anchor(centerX: 0.0625, centerY: 0.0625, width: 1, height: 1))
    #expect(near[895] == Anchor(centerX: 0.9375, centerY: 0.9375, width: 1, height: 1))
    let far = try AnchorGrid.fullRangeFaces.anchors()
    #expect(far.count == 2304)
    #expect(far[48].centerY == 1.5 / 48)
  }

  /// 320 × 200 pixels at stride 64 are 5 × 4 positions; a single layer has the mean scale.
  @Test func `grids need not be square`() throws {
    var grid = AnchorGrid(inputWidth: 320, inputHeight: 200, strides: [64])
    grid.hasReducedFirstLayer = false
    grid.interpolatedAspectRatio = nil
    grid.aspectRatios = [4]
    let anchors = try grid.anchors()
    #expect(anchors.count == 20)
    #expect(anchors[1].centerX == 0.3)
    #expect(anchors[5].centerY == 0.375)
    #expect(abs(anchors[0].width - 0.575 * 2) < 1e-6)
    #expect(abs(anchors[0].height - 0.575 / 2) < 1e-6)
  }

  static let impossible: [(String, AnchorGrid)] = {
    func grid(_ change: (inout AnchorGrid) -> Void) -> AnchorGrid {
      var grid = AnchorGrid(inputWidth: 300, inputHeight: 300)
      change(&grid)
      return grid
    }
    return [
      ("no layers", grid { $0.strides = [] }), ("no stride", grid { $0.strides = [0] }),
      ("no width", grid { $0.inputWidth = 0 }), ("no ratio", grid { $0.aspectRatios = [0] }),
      ("infinite ratio", grid { $0.interpolatedAspectRatio = .infinity }),
      ("no scale", grid { $0.minScale = .nan }), ("a negative scale", grid { $0.minScale = -1 }),
      (
        "too many",
        grid {
          $0.inputWidth = 1 << 16
          $0.inputHeight = 1 << 16
          $0.strides = [1]
        }
      ),
    ]
  }()

  @Test(arguments: impossible)
  func `impossible grids are refused`(name: String, grid: AnchorGrid) {
    #expect(throws: LandmarkError.self) { try grid.anchors() }
  }
}
