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

  /// A weight as its code.
  @inline(__always)
  func code(_ row: Int, _ column: Int) -> Int32 {
    let byte = unsafe weights[column &* columnStride &+ row &* depthStride]
    return unsafe isSigned ? Int32(Int8(bitPattern: byte)) : Int32(byte)
  }

  /// A column's sum of weights less their zero point, and the sum of their magnitudes.
  func sums(ofColumn column: Int) -> (sum: Int32, magnitude: Int64) {
    unsafe isSigned
      ? sums(ofColumn: column) { Int32(Int8(bitPattern: $0)) }
      : sums(ofColumn: column) { Int32($0) }
  }

  @inline(__always)
  private func sums(
    ofColumn column: Int, _ code: (UInt8) -> Int32
  ) -> (sum: Int32, magnitude: Int64) {
    let column = unsafe weights + column &* columnStride
    var (sum, magnitude): (Int32, Int64) = (0, 0)
    // A part's magnitudes, below 2^9 each, stay within 32 bits.
    for start in unsafe stride(from: 0, to: depth, by: 1 << 20) {
      var partMagnitude: Int32 = 0
      let end = unsafe min(start &+ 1 << 20, depth)
      if unsafe depthStride == 1 {
        for row in start..<end {
          let weight = unsafe code(column[row]) &- zeroPoint
          sum &+= weight
          partMagnitude &+= weight < 0 ? 0 &- weight : weight
        }
      } else {
        for row in start..<end {
          let weight = unsafe code(column[row &* depthStride]) &- zeroPoint
          sum &+= weight
          partMagnitude &+= weight < 0 ? 0 &- weight : weight
        }
      }
      magnitude &+= Int64(partMagnitude)
    }
    return (sum, magnitude)
  }

  /// What is added to the codes to make them signed bytes.
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

  /// `source`, packed.
  @unsafe
  package init(_ source: ByteMatrixSource, _ layout: ByteGemmLayout) {
    self.layout = layout
    depth = unsafe source.depth
    columnCount = unsafe source.columnCount
    let panelCount = roundedUp(columnCount, to: layout.panelWidth) / layout.panelWidth
    memory = AlignedMemory(zeroed: panelCount * layout.panelByteCount(depth: depth))
    let signedZeroPoint = unsafe source.zeroPoint &+ source.signedOffset
    rowSumFactor = layout.isWide ? 0 : 0 &- signedZeroPoint
    var sums = [Int32](repeating: 0, count: columnCount)
    var bound: Int64 = 0
    for column in 0..<columnCount {
      let packed = unsafe Self.packColumn(source, column, layout, memory.address)
      sums[column] = packed.sum
      bound = max(bound, packed.bound)
    }
    columnSums = sums
    sumBound = bound
  }

  /// The panel that starts with `column`, a multiple of the panel width.
  @unsafe
  package func panel(from column: Int) -> UnsafeRawPointer {
    unsafe UnsafeRawPointer(memory.address)
      + column / layout.panelWidth * layout.panelByteCount(depth: depth)
  }

  private static func packColumn(
    _ source: ByteMatrixSource, _ column: Int, _ layout: ByteGemmLayout,
    _ target: UnsafeMutableRawPointer
  ) -> (sum: Int32, bound: Int64) {
    let depth = unsafe source.depth
    let first = column / layout.panelWidth * layout.panelWidth
    let count = unsafe source.columnCount - first
    let width = count > layout.panelWidth / 2 ? layout.panelWidth : layout.panelWidth / 2
    let panel =
      unsafe target
      + column / layout.panelWidth * layout.panelByteCount(depth: depth)
    let lane = unsafe panel + (column - first) * 4
    var row = 0
    if unsafe !layout.isWide && source.depthStride == 1 {
      // Four neighbouring bytes are a word: as they are, or with the top bits flipped.
      let weights = unsafe UnsafeRawPointer(source.weights + column * source.columnStride)
      let flip: UInt32 = unsafe source.isSigned ? 0 : 0x8080_8080
      while row + 4 <= depth {
        let word = unsafe weights.loadUnaligned(fromByteOffset: row, as: UInt32.self)
        unsafe lane.storeBytes(
          of: word ^ flip, toByteOffset: (1 + row / 4) * width * 4, as: UInt32.self)
        row += 4
      }
    }
    let shift = unsafe layout.isWide ? 0 &- source.zeroPoint : source.signedOffset
    while row < depth {
      let word = unsafe lane + (1 + row / layout.wordDepth) * width * 4
      let value = unsafe source.code(row, column) &+ shift
      if layout.isWide {
        unsafe word.storeBytes(
          of: Int16(truncatingIfNeeded: value), toByteOffset: row % 2 * 2, as: Int16.self)
      } else {
        unsafe word.storeBytes(
          of: UInt8(truncatingIfNeeded: value), toByteOffset: row % 4, as: UInt8.self)
      }
      row += 1
    }
    let (sum, magnitude) = unsafe source.sums(ofColumn: column)
    let bias = unsafe source.bias?[column] ?? 0
    let zeroPoint = unsafe source.activationZeroPoint
    unsafe lane.storeBytes(of: bias &- zeroPoint &* sum, as: Int32.self)
    // Activations are bytes: 255 bounds their distance from any zero point in their range.
    return (sum, Int64(bias.magnitude) + magnitude * 255)
  }
}

extension ByteGemmLayout {
  /// Bytes of a whole panel of `depth` rows.
  package func panelByteCount(depth: Int) -> Int { (wordCount(depth) + 1) * panelWidth * 4 }
}
