// SPDX-License-Identifier: Apache-2.0

import Imaging
import Testing
import VisionTasks

/// Images cut into tiles, and numbers that become images.
@Suite struct TransformationTests {
  @Test(arguments: [1, 5, 8, 9, 20, 31, 100], [0, 1, 3])
  func `tiles keep every pixel once, away from their inner edges`(length: Int, overlap: Int) {
    let tiles = TileRow(length: length, tile: 8, overlap: overlap).tiles
    #expect(tiles.flatMap { Array($0.kept) } == Array(0..<length))
    for tile in tiles {
      #expect(tile.start >= 0)
      #expect(tile.start + 8 <= max(length, 8))
      if tile.kept.lowerBound > 0 { #expect(tile.kept.lowerBound - tile.start >= overlap) }
      if tile.kept.upperBound < length {
        #expect(tile.start + 8 - tile.kept.upperBound >= overlap)
      }
    }
  }

  /// A function of each pixel and its neighbors gives the same for tiles and for the whole.
  @Test(arguments: [(5, 3, 0), (16, 16, 1), (33, 50, 1)])
  func `tiles give what the whole image gives`(
    size: (width: Int, height: Int, radius: Int)
  ) throws {
    let bytes = (0..<size.width * size.height * 3).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    let image = try PixelBuffer(
      width: size.width, height: size.height, format: .rgb8, bytes: bytes)
    func doubled(_ part: PixelBuffer) throws(VisionError) -> PixelBuffer {
      do throws(ImagingError) {
        return try part.blurred(radius: size.radius).resized(
          toWidth: 2 * part.width, height: 2 * part.height, filter: .nearest)
      } catch {
        throw .image(error)
      }
    }
    let tile = TileShape(width: 16, height: 16, overlap: 4)
    let tiled = try TiledTransformation(image, tile: tile).image(doubled)
    #expect(tiled == (try doubled(image)))
  }

  @Test func `tiles that become no multiple of their size are an error`() throws {
    let image = try PixelBuffer(width: 20, height: 20, format: .rgb8, filledWith: .black)
    for size in [(12, 16), (8, 8), (24, 16)] {
      #expect(throws: VisionError.self) {
        try TiledTransformation(image, tile: TileShape(width: 16, height: 16, overlap: 2)).image {
          _ throws(VisionError) in
          do throws(ImagingError) {
            return try PixelBuffer(
              width: size.0, height: size.1, format: .rgb8, filledWith: .white)
          } catch {
            throw .image(error)
          }
        }
      }
    }
  }

  @Test func `numbers of three ranges become bytes`() throws {
    #expect(OutputPixelRange.bytes.ends.bytes(of: [254.5, -3, 7.49]) == [255, 0, 7])
    #expect(OutputPixelRange.fractions.ends.bytes(of: [0.5, 1, 0]) == [128, 255, 0])
    #expect(OutputPixelRange.signed.ends.bytes(of: [0, 1, -1]) == [128, 255, 0])
    for range in OutputPixelRange.allCases {
      #expect(
        range.ends.bytes(of: [.nan, .infinity, -.infinity, 1e30, -1e30]) == [0, 255, 0, 255, 0])
    }
    #expect(OutputPixelRange(of: .none) == .bytes)
    #expect(OutputPixelRange(of: .zeroToOne) == .fractions)
    #expect(OutputPixelRange(of: .minusOneToOne) == .signed)
    let image = try OutputPixelRange.bytes.image(
      OutputValues(shape: [1, 1, 2, 3], values: [1, 2, 3, 4, 5, 300]))
    #expect(image.bytes == [1, 2, 3, 4, 5, 255])
    #expect(throws: VisionError.self) {
      try OutputPixelRange.bytes.image(OutputValues(shape: [1, 1, 2, 2], values: [1, 2, 3, 4]))
    }
  }

  @Test func `depth is stretched from the least to the greatest number`() throws {
    let map = DepthMap(
      values: try ConfidenceMask(width: 2, height: 2, values: [-5, 15, .nan, 0]))
    #expect(map.range == -5...15)
    #expect(map.normalized.values == [0, 1, 0, 0.25])
    #expect(map.grayImage.bytes == [0, 255, 0, 64])
    let flat = DepthMap(values: try ConfidenceMask(width: 1, height: 1, values: [3]))
    #expect(flat.normalized.values == [0])
    let colors = map.coloredImage
    #expect(colors.color(column: 1, row: 0).red > colors.color(column: 1, row: 0).blue)
    #expect(colors.color(column: 0, row: 0).blue >= colors.color(column: 0, row: 0).green)
  }
}
