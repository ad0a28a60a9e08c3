// SPDX-License-Identifier: Apache-2.0

// Filters: https://www.w3.org/TR/png-3/#9Filters

/// How the bytes of a row were changed before compression.
enum RowFilter: UInt8, CaseIterable {
  case none = 0
  /// Less the byte to the left.
  case sub = 1
  /// Less the byte above.
  case up = 2
  /// Less the mean of both, rounded down.
  case average = 3
  /// Less whichever of left, above and above-left is nearest to left + above - above-left.
  case paeth = 4

  /// Undoes the filter: `row[i] = filtered[i] + prediction`, modulo 256.
  ///
  /// "Left" is `stride` bytes back, in the same channel of the pixel before; left of the first
  /// pixel everything is 0.
  ///
  /// - Precondition: the three rows have the same length, at least `stride`.
  func undo(
    _ filteredBytes: ArraySlice<UInt8>, above aboveBytes: [UInt8], stride: Int,
    into target: inout [UInt8]
  ) {
    let filtered = filteredBytes.span
    let above = aboveBytes.span
    var row = target.mutableSpan
    precondition(filtered.count == row.count && above.count == row.count && stride <= row.count)
    switch self {
    case .none:
      for index in row.indices { row[index] = filtered[index] }
    case .sub:
      for index in 0..<stride { row[index] = filtered[index] }
      for index in stride..<row.count { row[index] = filtered[index] &+ row[index &- stride] }
    case .up:
      for index in row.indices { row[index] = filtered[index] &+ above[index] }
    case .average:
      for index in 0..<stride { row[index] = filtered[index] &+ above[index] / 2 }
      for index in stride..<row.count {
        let sum = UInt16(row[index &- stride]) &+ UInt16(above[index])
        row[index] = filtered[index] &+ UInt8(truncatingIfNeeded: sum >> 1)
      }
    case .paeth:
      for index in 0..<stride { row[index] = filtered[index] &+ above[index] }
      for index in stride..<row.count {
        let left = row[index &- stride]
        let prediction = nearest(left: left, above: above[index], corner: above[index &- stride])
        row[index] = filtered[index] &+ prediction
      }
    }
  }

  /// Applies the filter: `filtered[i] = row[i] - prediction`, modulo 256.
  ///
  /// - Precondition: the three rows have the same length, at least `stride`.
  /// - Returns: The sum of the results' distances from 0, as signed bytes: rows of small sums
  ///   mostly compress well.
  @_lifetime(filtered: copy filtered)
  func apply(
    _ row: Span<UInt8>, above: Span<UInt8>, stride: Int, into filtered: inout MutableSpan<UInt8>
  ) -> Int {
    precondition(filtered.count == row.count && above.count == row.count && stride <= row.count)
    for index in 0..<stride {
      let prediction = predict(left: 0, above: above[index], corner: 0)
      filtered[index] = row[index] &- prediction
    }
    switch self {
    case .none: RowFilter.none.subtract(row, above, stride, from: stride, &filtered)
    case .sub: RowFilter.sub.subtract(row, above, stride, from: stride, &filtered)
    case .up: RowFilter.up.subtract(row, above, stride, from: stride, &filtered)
    case .average: RowFilter.average.subtract(row, above, stride, from: stride, &filtered)
    case .paeth: RowFilter.paeth.subtract(row, above, stride, from: stride, &filtered)
    }
    return Self.distance(filtered.span)
  }

  /// Subtracts the predictions of the bytes from `first` on; the filter is known where this is
  /// called, so that loops have no choices.
  @_lifetime(filtered: copy filtered)
  @inline(__always)
  private func subtract(
    _ row: Span<UInt8>, _ above: Span<UInt8>, _ stride: Int, from first: Int,
    _ filtered: inout MutableSpan<UInt8>
  ) {
    // Pieces of a known length need no checks inside.
    let length = 16
    var start = first
    while start &+ length <= row.count {
      let (here, before) = (start..<start &+ length, start &- stride..<start &- stride &+ length)
      let (bytes, left) = (row.extracting(here), row.extracting(before))
      let (up, corner) = (above.extracting(here), above.extracting(before))
      var target = filtered._mutatingExtracting(here)
      for index in 0..<length {
        target[index] =
          bytes[index] &- predict(left: left[index], above: up[index], corner: corner[index])
      }
      start &+= length
    }
    for index in start..<row.count {
      let prediction = predict(
        left: row[index &- stride], above: above[index], corner: above[index &- stride])
      filtered[index] = row[index] &- prediction
    }
  }

  /// The sum of the bytes' distances from 0, as signed bytes.
  private static func distance(_ bytes: Span<UInt8>) -> Int {
    let length = 16
    var (sum, start) = (0, 0)
    while start &+ length <= bytes.count {
      let piece = bytes.extracting(start..<start &+ length)
      // At most 16 × 128.
      var part: UInt16 = 0
      for index in 0..<length { part &+= UInt16(magnitude(piece[index])) }
      sum &+= Int(part)
      start &+= length
    }
    for index in start..<bytes.count { sum &+= Int(magnitude(bytes[index])) }
    return sum
  }

  @inline(__always)
  private static func magnitude(_ byte: UInt8) -> UInt8 { min(byte, 0 &- byte) }

  @inline(__always)
  private func predict(left: UInt8, above: UInt8, corner: UInt8) -> UInt8 {
    switch self {
    case .none: 0
    case .sub: left
    case .up: above
    case .average: UInt8(truncatingIfNeeded: (UInt16(left) &+ UInt16(above)) >> 1)
    case .paeth: nearest(left: left, above: above, corner: corner)
    }
  }
}

/// Paeth's prediction: the neighbor nearest to `left + above - corner`.
///
/// In a tie left goes before above, and above before corner.
@inline(__always)
func nearest(left: UInt8, above: UInt8, corner: UInt8) -> UInt8 {
  let horizontal = Int16(above) &- Int16(corner)  // estimate - left
  let vertical = Int16(left) &- Int16(corner)  // estimate - above
  let toLeft = max(horizontal, 0 &- horizontal)
  let toAbove = max(vertical, 0 &- vertical)
  let toCorner = max(horizontal &+ vertical, 0 &- (horizontal &+ vertical))
  let nearer = toAbove <= toCorner ? above : corner
  return toLeft <= toAbove && toLeft <= toCorner ? left : nearer
}
