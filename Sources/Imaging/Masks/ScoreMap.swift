// SPDX-License-Identifier: Apache-2.0

/// Several numbers for each pixel of an image: how much a model takes it for each category.
package struct ScoreMap: Sendable {
  /// Columns, 1 or more.
  private let width: Int
  /// Rows, 1 or more.
  private let height: Int
  /// Numbers of each pixel, 1 to 256.
  private let depth: Int
  /// The numbers pixel by pixel, row by row from the top.
  private let values: [Float]

  /// Takes over numbers.
  ///
  /// - Throws: `ImagingError` when the size is impossible or differs from their number.
  package init(width: Int, height: Int, depth: Int, values: [Float]) throws(ImagingError) {
    let pixelCount = try PixelBuffer.byteCount(width: width, height: height, format: .grey8)
    let wanted = pixelCount * min(max(depth, 1), 256)
    guard values.count == wanted else { throw .valueCount(values.count, wanted: wanted) }
    self.init(
      checkedWidth: width, height: height, depth: wanted / pixelCount, values: values)
  }

  private init(checkedWidth width: Int, height: Int, depth: Int, values: [Float]) {
    self.width = width
    self.height = height
    self.depth = depth
    self.values = values
  }

  /// The map as it is meant to be seen, given how it is stored.
  package func upright(from orientation: ImageOrientation) -> ScoreMap {
    guard orientation != .up else { return self }
    let grid = TurnedGrid(width: width, height: height, orientation: orientation)
    return ScoreMap(
      checkedWidth: grid.columns, height: grid.rows, depth: depth,
      values: grid.elements(of: values.span, length: depth, fill: 0))
  }

  /// The greatest of each pixel's numbers in the image that this map's was prepared from.
  ///
  /// Each number is resized as `ConfidenceMask.placed` does it before they are compared. NaN is never
  /// the greatest.
  ///
  /// - Parameter placement: Where the map lies in that image.
  /// - Returns: For each pixel of the image the greatest number and the position of the first such
  ///   one; -∞ and 255 beside the map, and where all are NaN.
  /// - Throws: `ImagingError.size` when the image's size is impossible.
  package func greatest(
    placedBy placement: MaskPlacement
  ) throws(ImagingError) -> (numbers: [Float], positions: [UInt8]) {
    let (newWidth, newHeight) = (placement.width, placement.height)
    let count = try PixelBuffer.byteCount(width: newWidth, height: newHeight, format: .grey8)
    var numbers = [Float](repeating: -.infinity, count: count)
    var positions = [UInt8](repeating: CategoryMask.unlabeled, count: count)
    let columns = placement.columnTaps(of: width)
    // Those inside the map are neighbors.
    guard let first = columns.firstIndex(where: { $0 != nil }) else { return (numbers, positions) }
    let taps = columns.compactMap { $0 }
    var best = numbers.mutableSpan
    var places = positions.mutableSpan
    var lines = MixedLines(count: taps.count * depth)
    for (row, tap) in placement.rowTaps(of: height).enumerated() {
      guard let tap else { continue }
      lines.move(to: tap) { row, line in mix(row, taps, into: &line) }
      lines.mix(tap)
      let start = row * newWidth + first
      var lineBest = best._mutatingExtracting(start..<start + taps.count)
      var linePlaces = places._mutatingExtracting(start..<start + taps.count)
      compare(lines.mixed.span, &lineBest, &linePlaces)
    }
    return (numbers, positions)
  }

  /// Mixes the numbers of a row's pixels with those of their right neighbors.
  private func mix(_ row: Int, _ columns: [BilinearTap], into line: inout MutableSpan<Float>) {
    let source = values.span.extracting(row * width * depth..<(row + 1) * width * depth)
    for index in columns.indices {
      let tap = columns[index]
      let (left, right, start) = (tap.lower &* depth, tap.upper &* depth, index &* depth)
      let lower = source.extracting(left..<left &+ depth)
      let upper = source.extracting(right..<right &+ depth)
      var mixed = line._mutatingExtracting(start..<start &+ depth)
      for place in 0..<depth { mixed[place] = tap.mix(lower[place], upper[place]) }
    }
  }

  /// Finds the greatest number of each pixel of a line.
  @_lifetime(best: copy best)
  @_lifetime(positions: copy positions)
  private func compare(
    _ line: Span<Float>, _ best: inout MutableSpan<Float>, _ positions: inout MutableSpan<UInt8>
  ) {
    for pixel in best.indices {
      let numbers = line.extracting(pixel &* depth..<pixel &* depth &+ depth)
      var (greatest, position) = (-Float.infinity, Int(CategoryMask.unlabeled))
      for place in 0..<depth where numbers[place] > greatest {
        (greatest, position) = (numbers[place], place)
      }
      best[pixel] = greatest
      positions[pixel] = UInt8(truncatingIfNeeded: position)
    }
  }
}
