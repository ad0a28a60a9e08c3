// SPDX-License-Identifier: Apache-2.0

package import Imaging
package import Martlet
import Npy
import Tensors
import Traces

/// Some channels of a layer's output as images beside each other.
package struct FeatureMap: Sendable {
  /// The node and the tensor.
  package let title: String
  package let node: Int
  /// The channels that are shown, in order.
  package let channels: [Int]
  package let channelCount: Int
  package let height: Int
  package let width: Int
  /// The values that the first and the last color of the scale stand for.
  package let range: ClosedRange<Double>
  package let image: PixelBuffer
  /// How many points of a page a pixel takes on a side.
  package let scale: Int

  /// The most layers that are shown.
  private static let layerLimit = 10
  /// The most channels of each.
  private static let channelLimit = 16
  /// Channels in a row of the image.
  private static let columnCount = 8
  /// The longest side of one channel's image, in pixels.
  private static let sideLimit = 56
  /// The pixels between two channels.
  private static let gap = 2

  /// Maps of layers spread evenly over those whose outputs are planes, `[1, height, width,
  /// channels]`.
  package static func maps(of layers: [Layer], in interpreter: Interpreter) -> [FeatureMap] {
    let candidates = layers.flatMap { layer in layer.outputs.map { (layer, $0) } }.filter {
      let sides = $0.1.type.shape.dimensions
      return sides.count == 4 && sides[0] == 1 && sides[1] > 2 && sides[2] > 2 && sides[3] > 0
        && $0.1.statistics?.minimum != nil
    }
    let count = min(candidates.count, layerLimit)
    return (0..<count).compactMap { number in
      let position = count == 1 ? 0 : number * (candidates.count - 1) / (count - 1)
      let (layer, output) = candidates[position]
      return FeatureMap(layer, output, in: interpreter)
    }
  }

  private init?(_ layer: Layer, _ output: LayerOutput, in interpreter: Interpreter) {
    guard let (type, bytes) = interpreter.tensor(output.tensor),
      let array = try? NpyArray(type, tensorBytes: bytes),
      let values = RealValues(type, array)?.numbers,
      let least = values.lazy.filter(\.isFinite).min(),
      let most = values.lazy.filter(\.isFinite).max()
    else { return nil }
    let sides = type.shape.dimensions
    let planes = Planes(
      values: values, height: sides[1], width: sides[2], channelCount: sides[3])
    channels = planes.mostVaried(Self.channelLimit)
    let tiles = channels.compactMap { planes.image($0, least...most, limit: Self.sideLimit) }
    guard let first = tiles.first, let sheet = Self.sheet(tiles) else { return nil }
    title = layer.title
    node = layer.index
    (height, width, channelCount) = (sides[1], sides[2], sides[3])
    range = least...most
    image = sheet
    scale = max(1, 56 / max(first.width, first.height))
  }

  /// Images of one size in rows.
  private static func sheet(_ tiles: [PixelBuffer]) -> PixelBuffer? {
    guard let tile = tiles.first else { return nil }
    let columns = min(tiles.count, columnCount)
    let rows = (tiles.count + columns - 1) / columns
    let width = columns * (tile.width + gap) - gap
    let height = rows * (tile.height + gap) - gap
    var pixels = [UInt8](repeating: 0, count: width * height * 4)
    for (number, tile) in tiles.enumerated() {
      let left = number % columns * (tile.width + gap)
      let top = number / columns * (tile.height + gap)
      let rgba = tile.converted(to: .rgba8).bytes
      for row in 0..<tile.height {
        let target = ((top + row) * width + left) * 4
        let source = row * tile.width * 4
        pixels.replaceSubrange(
          target..<target + tile.width * 4, with: rgba[source..<source + tile.width * 4])
      }
    }
    return try? PixelBuffer(width: width, height: height, format: .rgba8, bytes: pixels)
  }
}

/// A tensor `[1, height, width, channels]` as planes.
private struct Planes {
  package let values: [Double]
  package let height: Int
  package let width: Int
  package let channelCount: Int

  /// The channels whose values differ most among themselves, in the tensor's order.
  package func mostVaried(_ limit: Int) -> [Int] {
    var sums = [Double](repeating: 0, count: channelCount)
    var squares = sums
    for position in values.indices where values[position].isFinite {
      let channel = position % channelCount
      sums[channel] += values[position]
      squares[channel] += values[position] * values[position]
    }
    let count = Double(height * width)
    let spread = (0..<channelCount).map { channel in
      squares[channel] / count - (sums[channel] / count) * (sums[channel] / count)
    }
    return spread.indices.sorted { (spread[$1], $0) < (spread[$0], $1) }.prefix(limit).sorted()
  }

  /// One channel in colors from the least to the greatest value.
  package func image(_ channel: Int, _ range: ClosedRange<Double>, limit: Int) -> PixelBuffer? {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(height * width * 3)
    let extent = range.upperBound - range.lowerBound
    for position in 0..<height * width {
      let value = values[position * channelCount + channel]
      pixels += ColorScale.color(extent > 0 ? (value - range.lowerBound) / extent : 0)
    }
    guard
      let image = try? PixelBuffer(width: width, height: height, format: .rgb8, bytes: pixels)
    else { return nil }
    guard max(width, height) > limit else { return image }
    let shrink = Double(limit) / Double(max(width, height))
    return try? image.fitted(
      toWidth: max(1, Int((Double(width) * shrink).rounded())),
      height: max(1, Int((Double(height) * shrink).rounded())), mode: .stretch,
      filter: .antialiasedBilinear
    ).image
  }
}

/// Colors for numbers from 0 to 1, dark to light: five stops of the viridis scale.
package enum ColorScale {
  private static let stops: [[Double]] = [
    [68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37],
  ]

  /// Red, green and blue; numbers beyond the ends count as these, NaN as 0.
  package static func color(_ number: Double) -> [UInt8] {
    let location = (number.isNaN ? 0 : min(max(number, 0), 1)) * Double(stops.count - 1)
    let low = min(Int(location), stops.count - 2)
    let share = location - Double(low)
    return zip(stops[low], stops[low + 1]).map { UInt8(($0 + ($1 - $0) * share).rounded()) }
  }

  /// The color as CSS has it.
  package static func css(_ number: Double) -> String {
    "rgb(" + color(number).map(String.init).joined(separator: ",") + ")"
  }
}
