// SPDX-License-Identifier: Apache-2.0

/// The `SOS` segment: which components, and which of their coefficients' bits, a scan holds.
struct JPEGScan {
  /// A component of the scan: its location in the frame and its tables.
  struct Component {
    var index: Int
    var dcTable: Int
    var acTable: Int
  }

  /// What the scan says about a block.
  enum Kind {
    /// All of it.
    case sequential
    /// The leading bits of the first coefficient, or the next bit.
    case dcFirst, dcRefinement
    /// The leading bits of other coefficients, or the next bit.
    case acFirst, acRefinement
  }

  var kind: Kind
  var components: [Component]
  /// The coefficients, in zigzag order.
  var band: ClosedRange<Int>
  /// The position of the lowest bit that the scan gives.
  var lowBit: Int
  /// The lowest bit that earlier scans gave, or 0 if there were none.
  var highBit: Int
  /// The marker's location.
  var offset: Int
  /// Where the compressed data begins.
  var dataStart: Int

  init(_ segment: JPEGSegment, in file: Span<UInt8>, frame: JPEGFrame) throws(JPEGError) {
    let data = file.extracting(segment.data)
    let count = data.isEmpty ? 0 : Int(data[0])
    guard (1...4).contains(count), data.count == 4 + 2 * count else { throw segment.lengthError() }
    offset = segment.offset
    dataStart = segment.data.upperBound
    components = []
    for number in 0..<count {
      let identifier = data[1 + 2 * number]
      let index = frame.components.firstIndex { $0.identifier == identifier }
      guard let index, !components.contains(where: { $0.index == index }) else {
        throw JPEGError(.componentIdentifier(Int(identifier)), at: segment.offset)
      }
      let tables = data[2 + 2 * number]
      components.append(
        Component(index: index, dcTable: Int(tables >> 4), acTable: Int(tables & 15)))
    }
    guard frame.process == .progressive else {
      // The other parameters have one right value, which decides nothing.
      kind = .sequential
      band = 0...63
      lowBit = 0
      highBit = 0
      return
    }
    let first = Int(data[1 + 2 * count])
    let last = Int(data[2 + 2 * count])
    highBit = Int(data[3 + 2 * count] >> 4)
    lowBit = Int(data[3 + 2 * count] & 15)
    let isBandRight = first == 0 ? last == 0 : first <= last && last < 64 && count == 1
    guard isBandRight, lowBit <= 13, highBit == 0 || highBit == lowBit + 1 else {
      throw JPEGError(.scanParameters, at: segment.offset)
    }
    band = first...last
    kind =
      switch (first == 0, highBit == 0) {
      case (true, true): .dcFirst
      case (true, false): .dcRefinement
      case (false, true): .acFirst
      case (false, false): .acRefinement
      }
  }

  var needsDCTable: Bool { kind == .sequential || kind == .dcFirst }
  var needsACTable: Bool { kind != .dcFirst && kind != .dcRefinement }

  /// Blocks that decoding the scan visits.
  func blockCount(_ frame: JPEGFrame) -> Int {
    components.reduce(0) { sum, component in
      let component = frame.components[component.index]
      return sum + component.blockColumns * component.blockRows
    }
  }
}

/// How far the scans of a file have come: the lowest bit known of each coefficient.
///
/// Each bit may come once, the higher before the lower and a block's first coefficient before the
/// others, so that the number of scans is bounded. Beyond that, the work of many narrow scans
/// is: an image's blocks may be visited 32 times, or four million times in all.
struct JPEGProgress {
  private var lowBits: [[Int8]]
  private var scanCount = 0
  private var visitBudget: Int

  init(_ frame: JPEGFrame) {
    lowBits = Array(repeating: Array(repeating: -1, count: 64), count: frame.components.count)
    visitBudget = 32 * frame.codedBlockCount + 1 << 22
  }

  /// Takes note of a scan that is about to be decoded.
  mutating func begin(_ scan: JPEGScan, frame: JPEGFrame) throws(JPEGError) {
    scanCount += 1
    visitBudget -= scan.blockCount(frame)
    guard visitBudget >= 0 else { throw JPEGError(.tooManyScans(scanCount), at: scan.offset) }
    for component in scan.components {
      if scan.band.lowerBound > 0, lowBits[component.index][0] < 0 {
        throw JPEGError(.scanOrder, at: scan.offset)
      }
      let wanted = scan.highBit == 0 ? -1 : Int8(scan.highBit)
      for coefficient in scan.band {
        guard lowBits[component.index][coefficient] == wanted else {
          throw JPEGError(.scanOrder, at: scan.offset)
        }
        lowBits[component.index][coefficient] = Int8(scan.lowBit)
      }
    }
  }

  /// The first component of which nothing is known.
  var missingComponent: Int? { lowBits.firstIndex { $0[0] < 0 } }
}
