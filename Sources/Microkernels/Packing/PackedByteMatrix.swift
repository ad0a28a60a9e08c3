// SPDX-License-Identifier: Apache-2.0

/// An 8-bit matrix as the right operand of a product: any strides, and a bias per column.
@unsafe
package struct ByteMatrixSource {
  /// The first weight.
  package var weights: UnsafePointer<UInt8>
  /// Whether weights are `Int8` rather than `UInt8`.
  package var isSigned: Bool
  /// The weights' zero point.
  package var zeroPoint: Int32
  /// Bytes from one column to the next.
  package var columnStride: Int
  /// Bytes from one row to the next.
  package var depthStride: Int
  /// Columns.
  package var columnCount: Int
  /// Rows: the terms of each sum.
  package var depth: Int
  /// A bias per column, or nil for zeroes.
  package var bias: UnsafePointer<Int32>?
  /// The zero point of the activations, made unsigned: 128 more than that of `Int8` ones.
  package var activationZeroPoint: Int32

  /// A matrix of these parts.
  package init(
    weights: UnsafePointer<UInt8>, isSigned: Bool, zeroPoint: Int32, columnStride: Int,
    depthStride: Int, columnCount: Int, depth: Int, bias: UnsafePointer<Int32>? = nil,
    activationZeroPoint: Int32
  ) {
    unsafe self.weights = weights
    unsafe self.isSigned = isSigned
    unsafe self.zeroPoint = zeroPoint
    unsafe self.columnStride = columnStride
    unsafe self.depthStride = depthStride
    unsafe self.columnCount = columnCount
    unsafe self.depth = depth
    unsafe self.bias = bias
    unsafe self.activationZeroPoint = activationZeroPoint
  }

  /// A weight as its quantized value.
  @inline(__always)
  func value(_ row: Int, _ column: Int) -> Int32 {
    let byte = unsafe weights[column &* columnStride &+ row &* depthStride]
    return unsafe isSigned ? Int32(Int8(bitPattern: byte)) : Int32(byte)
  }

  /// The sum of a column's quantized values from `row` on.
  func valueSum(ofColumn column: Int, from row: Int) -> Int32 {
    unsafe isSigned
      ? sum(ofColumn: column, from: row) { Int32(Int8(bitPattern: $0)) }
      : sum(ofColumn: column, from: row) { Int32($0) }
  }

  /// The sum of the magnitudes of a column's weights less their zero point.
  func magnitude(ofColumn column: Int) -> Int64 {
    let zeroPoint = unsafe zeroPoint
    return unsafe isSigned
      ? sum(ofColumn: column) { Int64((Int32(Int8(bitPattern: $0)) &- zeroPoint).magnitude) }
      : sum(ofColumn: column) { Int64((Int32($0) &- zeroPoint).magnitude) }
  }

  @inline(__always)
  private func sum<Term: FixedWidthInteger>(
    ofColumn column: Int, from first: Int = 0, _ term: (UInt8) -> Term
  ) -> Term {
    let column = unsafe weights + column &* columnStride
    var sum: Term = 0
    if unsafe depthStride == 1 {
      for row in unsafe first..<depth { sum &+= unsafe term(column[row]) }
    } else {
      for row in unsafe first..<depth { sum &+= unsafe term(column[row &* depthStride]) }
    }
    return sum
  }

  /// What no sum exceeds in magnitude.
  ///
  /// Activations are bytes: 255 bounds their distance from any zero point in their range. Weights
  /// are looked at only where their type does not bound the sum well enough for the fast kernels.
  func sumBound() -> Int64 {
    let bias = unsafe greatestMagnitude(bias, count: columnCount)
    let values: ClosedRange<Int32> = unsafe isSigned ? -128...127 : 0...255
    if unsafe values.contains(zeroPoint), unsafe depth < 1 << 20 {
      let largest = unsafe max(values.upperBound - zeroPoint, zeroPoint - values.lowerBound)
      let bound = unsafe Int64(bias) + Int64(largest) * Int64(depth) * 255
      if bound < 1 << 30 { return bound }
    }
    var magnitude: Int64 = 0
    for column in unsafe 0..<columnCount {
      magnitude = unsafe max(magnitude, self.magnitude(ofColumn: column))
    }
    return Int64(bias) &+ magnitude &* 255
  }

  /// What is added to the quantized values to make them signed bytes.
  var signedOffset: Int32 { unsafe isSigned ? 0 : -128 }
}

/// An 8-bit matrix packed for one level's products.
///
/// Per panel it holds its columns' biases as 32-bit integers, then for each word of a row (four
/// activations, or two on wide levels) each column's weights for it. The zero points are folded
/// into the biases, so that a sum of unsigned activations times packed weights, plus
/// `rowSumFactor` times the row's activations, is the exact sum of TFLite.
package struct PackedByteMatrix: Sendable {
  private let memory: AlignedMemory
  private let layout: ByteGemmLayout
  /// Rows: the terms of each sum.
  package let depth: Int
  /// Columns.
  package let columnCount: Int
  /// What each row's sum of unsigned activations adds to the row's results, times this factor.
  package let rowSumFactor: Int32
  /// What no sum exceeds in magnitude.
  package let sumBound: Int64
  /// Per column, the sum of weights less their zero point.
  package let columnSums: [Int32]

  /// `source`, packed into memory from `allocate`.
  @unsafe
  package init(
    _ source: ByteMatrixSource, _ layout: ByteGemmLayout,
    allocate: AlignedMemory.Allocation = AlignedMemory.init(zeroed:)
  ) {
    self.layout = layout
    depth = unsafe source.depth
    columnCount = unsafe source.columnCount
    let panelByteCount = layout.panelByteCount(depth: depth)
    let panelCount = roundedUp(columnCount, to: layout.panelWidth) / layout.panelWidth
    let memory = allocate(panelCount * panelByteCount)
    self.memory = memory
    let signedZeroPoint = unsafe source.zeroPoint &+ source.signedOffset
    rowSumFactor = layout.isWide ? 0 : 0 &- signedZeroPoint
    var sums = [Int32](repeating: 0, count: columnCount)
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      guard let sums = sums.baseAddress else { return }
      var panel = unsafe memory.address
      for first in unsafe stride(from: 0, to: source.columnCount, by: layout.panelWidth) {
        let columns = unsafe first..<min(first + layout.panelWidth, source.columnCount)
        unsafe Self.packPanel(source, columns, layout, to: panel, sums: sums + first)
        unsafe panel += panelByteCount
      }
    }
    columnSums = sums
    sumBound = unsafe source.sumBound()
  }

  /// The panel that starts with `column`, a multiple of the panel width.
  @unsafe
  package func panel(from column: Int) -> UnsafeRawPointer {
    unsafe UnsafeRawPointer(memory.address)
      + column / layout.panelWidth * layout.panelByteCount(depth: depth)
  }

  /// Packs a panel, and adds up its columns' weights less their zero point in `sums`.
  private static func packPanel(
    _ source: ByteMatrixSource, _ columns: Range<Int>, _ layout: ByteGemmLayout,
    to panel: UnsafeMutableRawPointer, sums: UnsafeMutablePointer<Int32>
  ) {
    let count = columns.count
    let width = count > layout.panelWidth / 2 ? layout.panelWidth : layout.panelWidth / 2
    let canTranspose = unsafe !layout.isWide && source.depthStride == 1
    let quads = canTranspose ? count & ~3 : 0
    let transposed = unsafe canTranspose ? source.depth & ~15 : 0
    if quads > 0 {
      unsafe packQuads(
        source, columns.lowerBound..<columns.lowerBound + quads, depth: transposed, width: width,
        to: panel, sums: sums)
    }
    for index in 0..<count {
      let column = columns.lowerBound + index
      let row = index < quads ? transposed : 0
      let lane = unsafe panel + index * 4
      unsafe packColumn(source, column, from: row, layout, width: width, to: lane)
      let values = unsafe sums[index] &+ source.valueSum(ofColumn: column, from: row)
      let depth = unsafe Int32(truncatingIfNeeded: source.depth)
      let sum = unsafe values &- depth &* source.zeroPoint
      unsafe sums[index] = sum
      let bias = unsafe source.bias?[column] ?? 0
      unsafe lane.storeBytes(of: bias &- source.activationZeroPoint &* sum, as: Int32.self)
    }
  }

  /// Packs the first `depth` rows, a multiple of 16, of columns in fours, and sums up their
  /// quantized values.
  ///
  /// Four neighboring bytes of a column are a word: as they are, or with the top bits flipped.
  private static func packQuads(
    _ source: ByteMatrixSource, _ columns: Range<Int>, depth: Int, width: Int,
    to panel: UnsafeMutableRawPointer, sums: UnsafeMutablePointer<Int32>
  ) {
    let flip = unsafe SIMD4<UInt32>(repeating: source.isSigned ? 0 : 0x8080_8080)
    let toUnsigned = unsafe SIMD4<UInt32>(repeating: source.isSigned ? 0x8080_8080 : 0)
    let evenBytes = SIMD4<UInt32>(repeating: 0x00FF_00FF)
    @inline(__always)
    func values(_ words: SIMD4<UInt32>) -> SIMD4<UInt32> {
      let values = words ^ toUnsigned
      return (values & evenBytes) &+ ((values &>> 8) & evenBytes)
    }
    let words = unsafe WordColumns(
      UnsafeRawPointer(source.weights + columns.lowerBound &* source.columnStride),
      stride: source.columnStride, count: columns.count, rowCount: depth / 4)
    unsafe words.forEachBlock { block in
      var position = unsafe panel + ((block.row &+ 1) &* width &+ block.column) &* 4
      // Two sums of 16 bits per column: each row adds at most 2 · 255.
      var halves = SIMD4<UInt32>(repeating: 0)
      for row in unsafe stride(from: 0, to: block.rowCount, by: 4) {
        let rows = unsafe block.rows(from: row)
        halves = halves &+ values(rows.rows.0) &+ values(rows.rows.1)
        halves = halves &+ values(rows.rows.2) &+ values(rows.rows.3)
        unsafe rows.store(to: position, rowStride: width &* 4, flipping: flip)
        unsafe position += 16 &* width
      }
      let values = (halves & 0xFFFF) &+ (halves &>> 16)
      let excess = unsafe source.isSigned ? Int32(block.rowCount * 4 * 128) : 0
      for column in 0..<4 {
        unsafe sums[block.column + column] &+= Int32(truncatingIfNeeded: values[column]) &- excess
      }
    }
  }

  /// Packs a column's rows from `row` on, a multiple of the rows of a word.
  @inline(__always)
  private static func packColumn(
    _ source: ByteMatrixSource, _ column: Int, from row: Int, _ layout: ByteGemmLayout,
    width: Int, to lane: UnsafeMutableRawPointer
  ) {
    var row = row
    if unsafe !layout.isWide && source.depthStride == 1 {
      let weights = unsafe UnsafeRawPointer(source.weights + column * source.columnStride)
      let flip: UInt32 = unsafe source.isSigned ? 0 : 0x8080_8080
      while unsafe row + 4 <= source.depth {
        let word = unsafe weights.loadUnaligned(fromByteOffset: row, as: UInt32.self)
        unsafe lane.storeBytes(
          of: word ^ flip, toByteOffset: (1 + row / 4) * width * 4, as: UInt32.self)
        row += 4
      }
    }
    let shift = unsafe layout.isWide ? 0 &- source.zeroPoint : source.signedOffset
    for row in unsafe row..<source.depth {
      let value = unsafe source.value(row, column) &+ shift
      if layout.isWide {
        unsafe lane.storeBytes(
          of: Int16(truncatingIfNeeded: value),
          toByteOffset: (1 + row / 2) * width * 4 + row % 2 * 2, as: Int16.self)
      } else {
        unsafe lane.storeBytes(
          of: UInt8(truncatingIfNeeded: value),
          toByteOffset: (1 + row / 4) * width * 4 + row % 4, as: UInt8.self)
      }
    }
  }
}

extension ByteGemmLayout {
  /// Bytes of a whole panel of `depth` rows.
  package func panelByteCount(depth: Int) -> Int { (wordCount(depth) + 1) * panelWidth * 4 }
}

/// The greatest magnitude of `count` biases, or zero where there are none.
func greatestMagnitude(_ biases: UnsafePointer<Int32>?, count: Int) -> UInt32 {
  guard let biases = unsafe biases else { return 0 }
  var greatest: UInt32 = 0
  for index in 0..<count { greatest = unsafe max(greatest, biases[index].magnitude) }
  return greatest
}
