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

  /// The sum of a column's quantized values.
  func valueSum(ofColumn column: Int) -> Int32 {
    guard unsafe depthStride == 1 else {
      return unsafe isSigned
        ? sum(ofColumn: column) { Int32(Int8(bitPattern: $0)) }
        : sum(ofColumn: column) { Int32($0) }
    }
    let bytes = unsafe UnsafeRawPointer(weights + column &* columnStride)
    // Signed bytes as unsigned numbers that are greater by 128.
    let sum = unsafe ByteRuns.sum(of: bytes, count: depth, flip: isSigned ? 0x80 : 0)
    return unsafe Int32(truncatingIfNeeded: sum &- (isSigned ? 128 &* depth : 0))
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
    ofColumn column: Int, _ term: (UInt8) -> Term
  ) -> Term {
    let column = unsafe weights + column &* columnStride
    var sum: Term = 0
    if unsafe depthStride == 1 {
      for row in unsafe 0..<depth { sum &+= unsafe term(column[row]) }
    } else {
      for row in unsafe 0..<depth { sum &+= unsafe term(column[row &* depthStride]) }
    }
    return sum
  }

  /// What no sum exceeds in magnitude.
  ///
  /// Weights are looked at only where their type does not bound the sum well enough for the fast
  /// kernels.
  package func sumBound() -> Int64 {
    let bias = unsafe greatestMagnitude(bias, count: columnCount)
    if let term = unsafe greatestTerm(isSigned: isSigned, zeroPoint: zeroPoint),
      unsafe depth < 1 << 20
    {
      let bound = unsafe Int64(bias) + term * Int64(depth)
      // A bias that is too large stays so, whatever the weights are.
      if bound < 1 << 30 || bias >= 1 << 30 { return bound }
    }
    var magnitude: Int64 = 0
    for column in unsafe 0..<columnCount {
      magnitude = unsafe max(magnitude, self.magnitude(ofColumn: column))
    }
    return Int64(bias) &+ magnitude &* 255
  }

  /// The zero point of the weights once they are signed bytes: 128 lower for unsigned ones.
  var signedZeroPoint: Int32 { unsafe isSigned ? zeroPoint : zeroPoint &- 128 }
}

/// An 8-bit matrix packed for one level's products.
///
/// Per panel it holds its columns' biases as 32-bit integers, then its weights in the order of its
/// form: for each word of a row (four activations, or two on wide levels) each column's weights for
/// it. The zero points are folded into the biases, so that a sum of activations, unsigned or as the
/// level takes them, times packed weights, plus `rowSumFactor` times the row's activations, is the
/// exact sum of TFLite.
package struct PackedByteMatrix: Sendable {
  private let memory: AlignedMemory
  private let layout: ByteGemmLayout
  /// How weights are held.
  package let form: BytePanelForm
  /// The zero point of the signed weights.
  private let zeroPoint: Int32
  /// Rows: the terms of each sum.
  package let depth: Int
  /// Columns.
  package let columnCount: Int
  /// What no sum exceeds in magnitude.
  package let sumBound: Int64
  /// Per column, the sum of weights less their zero point.
  package let columnSums: [Int32]

  /// Weights up to which products with so many rows take them widened, of a model of so many bytes.
  ///
  /// A single row widens each weight that it multiplies. That is for weights that fill the
  /// second-level cache, so that reading them takes the time: those of large matrices, and of all
  /// matrices of a model together. Several rows widen them once.
  package static func compactCount(rowCount: Int, modelByteCount: Int) -> Int {
    guard rowCount == 1 else { return 16 * 1024 }
    return modelByteCount <= cachedWeights ? cachedWeights : 4 * 1024
  }

  /// Weights that stay in the second-level cache when they are widened.
  private static let cachedWeights = 256 * 1024

  /// `source`, packed into memory from `allocate`; in compact form where that is one and there are
  /// more than `compactCount` weights.
  @unsafe
  package init(
    _ source: ByteMatrixSource, _ layout: ByteGemmLayout, compactCount: Int = .max,
    allocate: AlignedMemory.Allocation = AlignedMemory.init(zeroed:)
  ) {
    unsafe self.init(
      stacking: [source], stride: source.columnCount, layout, compactCount: compactCount,
      allocate: allocate)
  }

  /// `stride` columns for each of `sources`, those that it lacks being zero.
  ///
  /// All have as many rows and the same zero point. Where there are several, each begins with a
  /// panel: `stride` is a multiple of a panel's width.
  @unsafe
  package init(
    stacking sources: [ByteMatrixSource], stride: Int, _ layout: ByteGemmLayout,
    compactCount: Int = .max, allocate: AlignedMemory.Allocation = AlignedMemory.init(zeroed:)
  ) {
    guard let source = unsafe sources.first,
      unsafe sources.count == 1 || stride % layout.panelWidth == 0
    else { preconditionFailure("matrices that are stacked begin with a panel") }
    self.layout = layout
    let signedZeroPoint = unsafe source.signedZeroPoint
    let columnCount = unsafe stride * sources.count
    let fitsByte = Int8(exactly: signedZeroPoint) != nil
    let isLarge = unsafe source.depth > compactCount / max(columnCount, 1)
    let form = layout.form(isCompact: isLarge && fitsByte)
    self.form = form
    zeroPoint = signedZeroPoint
    depth = unsafe source.depth
    self.columnCount = columnCount
    let memory = unsafe allocate(
      layout.panelOffset(
        of: roundedUp(columnCount, to: layout.panelWidth), depth: source.depth, form))
    self.memory = memory
    // An array of one number repeated would look up its type at run time.
    var sums = (0..<columnCount).map { _ in Int32(0) }
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      for index in unsafe sources.indices {
        let first = index * stride
        unsafe Self.pack(
          sources[index], layout, form,
          at: memory.address + layout.panelOffset(of: first, depth: source.depth, form),
          columnCount: stride, sums: UnsafeMutableBufferPointer(rebasing: sums[first...]))
      }
    }
    columnSums = sums
    sumBound = unsafe sources.reduce(0) { unsafe max($0, $1.sumBound()) }
  }

  /// Packs the panels of `columnCount` columns, of which `source` may have fewer.
  private static func pack(
    _ source: ByteMatrixSource, _ layout: ByteGemmLayout, _ form: BytePanelForm,
    at address: UnsafeMutableRawPointer, columnCount: Int,
    sums: UnsafeMutableBufferPointer<Int32>
  ) {
    guard let sums = sums.baseAddress else { return }
    var address = unsafe address
    for first in Swift.stride(from: 0, to: columnCount, by: layout.panelWidth) {
      let width = layout.width(min(layout.panelWidth, columnCount - first))
      let panel = unsafe BytePanel(source, form, layout.pairOrder, width: width, at: address)
      unsafe panel.clear(wordCount: layout.wordCount(source.depth))
      let end = unsafe min(first + layout.panelWidth, source.columnCount)
      if first < end {
        unsafe pack(
          source, first..<end, activationOffset: layout.signsActivations ? 128 : 0, to: panel,
          sums: sums + first)
      }
      unsafe address += layout.panelByteCount(depth: source.depth, form)
    }
  }

  /// The panels from `column` on, a multiple of the panel width.
  @unsafe
  package func panels(from column: Int) -> BytePanels {
    unsafe BytePanels(
      first: UnsafeRawPointer(memory.address)
        + layout.panelOffset(of: column, depth: depth, form),
      isCompact: form == .compact, zeroPoint: Int16(truncatingIfNeeded: zeroPoint),
      rowSumFactor: layout.isWide ? 0 : 0 &- zeroPoint)
  }

  /// Packs a panel, and adds up its columns' weights less their zero point in `sums`.
  ///
  /// Activations are `activationOffset` less than the unsigned ones.
  private static func pack(
    _ source: ByteMatrixSource, _ columns: Range<Int>, activationOffset: Int32,
    to panel: BytePanel, sums: UnsafeMutablePointer<Int32>
  ) {
    let activationZeroPoint = unsafe source.activationZeroPoint &- activationOffset
    unsafe source.packWeights(columns, to: panel)
    for index in 0..<columns.count {
      let column = columns.lowerBound + index
      let depth = unsafe Int32(truncatingIfNeeded: source.depth)
      let sum = unsafe source.valueSum(ofColumn: column) &- depth &* source.zeroPoint
      unsafe sums[index] = sum
      let bias = unsafe source.bias?[column] ?? 0
      unsafe panel.store(bias: bias &- activationZeroPoint &* sum, column: index)
    }
  }
}

extension ByteMatrixSource {
  /// Some rows, without biases.
  func part(_ rows: Range<Int>) -> ByteMatrixSource {
    var part = unsafe self
    unsafe part.weights += rows.lowerBound * depthStride
    unsafe part.depth = rows.count
    unsafe part.bias = nil
    return unsafe part
  }

  /// Packs the weights of `columns`.
  func packWeights(_ columns: Range<Int>, to panel: BytePanel) {
    let quads = unsafe depthStride == 1 ? columns.count & ~3 : 0
    let transposed = unsafe depthStride == 1 ? depth & ~15 : 0
    if quads > 0 {
      unsafe packQuads(
        columns.lowerBound..<columns.lowerBound + quads, depth: transposed, to: panel)
    }
    for index in 0..<columns.count {
      let row = index < quads ? transposed : 0
      unsafe pack(columns.lowerBound + index, from: row, to: panel, at: index)
    }
  }

  /// Packs the first `depth` rows, a multiple of 16, of columns in fours.
  private func packQuads(_ columns: Range<Int>, depth: Int, to panel: BytePanel) {
    let words = unsafe WordColumns(
      UnsafeRawPointer(weights + columns.lowerBound &* columnStride),
      stride: columnStride, count: columns.count, rowCount: depth / 4)
    switch unsafe panel.form {
    case .bytes: unsafe packQuads(words, to: panel, BytesForm.self)
    case .octets: unsafe packQuads(words, to: panel, OctetsForm.self)
    case .words: unsafe packQuads(words, to: panel, WordsForm.self)
    case .compact: unsafe packQuads(words, to: panel, CompactForm.self)
    }
  }

  /// Packs columns in fours, in a loop that is compiled for a form: it has no branches.
  private func packQuads<Form: KnownForm>(
    _ words: WordColumns, to panel: BytePanel, _: Form.Type
  ) {
    unsafe words.forEachBlock { block in
      let panel = unsafe panel.inForm(Form.form)
      for word in unsafe stride(from: 0, to: block.rowCount, by: 4) {
        let rows = unsafe block.rows(from: word).rows
        let row = unsafe (block.row &+ word) &* 4
        unsafe panel.store(rows.0, row: row, column: block.column)
        unsafe panel.store(rows.1, row: row &+ 4, column: block.column)
        unsafe panel.store(rows.2, row: row &+ 8, column: block.column)
        unsafe panel.store(rows.3, row: row &+ 12, column: block.column)
      }
    }
  }

  /// Packs a column's rows from `row` on.
  @inline(__always)
  private func pack(
    _ column: Int, from row: Int, to panel: BytePanel, at index: Int
  ) {
    let weights = unsafe weights + column &* columnStride
    var row = row
    while unsafe depthStride == 1, unsafe row &+ 4 <= depth {
      let quad = unsafe UnsafeRawPointer(weights + row).loadUnaligned(as: UInt32.self)
      unsafe panel.store(quad, row: row, column: index)
      row &+= 4
    }
    for row in unsafe row..<depth {
      unsafe panel.store(weights[row &* depthStride], row: row, column: index)
    }
  }
}

/// A form that the compiler knows.
private protocol KnownForm {
  static var form: BytePanelForm { get }
}

private enum BytesForm: KnownForm {
  static var form: BytePanelForm { .bytes }
}

private enum OctetsForm: KnownForm {
  static var form: BytePanelForm { .octets }
}

private enum WordsForm: KnownForm {
  static var form: BytePanelForm { .words }
}

private enum CompactForm: KnownForm {
  static var form: BytePanelForm { .compact }
}

extension ByteGemmLayout {
  /// How weights are held; `isCompact` says which of two forms wide levels have.
  package func form(isCompact: Bool) -> BytePanelForm {
    guard isWide else { return multipliesMatrices ? .octets : .bytes }
    return isCompact ? .compact : .words
  }

  /// Bytes of a whole panel of `depth` rows in this form, or in the one that is multiplied.
  package func panelByteCount(depth: Int, _ form: BytePanelForm? = nil) -> Int {
    (form ?? self.form(isCompact: false)).byteCount(
      width: panelWidth, wordCount: wordCount(depth))
  }

  /// Bytes from the first panel to that of `column`, a multiple of the panel width.
  package func panelOffset(of column: Int, depth: Int, _ form: BytePanelForm) -> Int {
    column / panelWidth * panelByteCount(depth: depth, form)
  }

  /// Columns for which a panel of `columnCount` has room: the last one is half as wide where that
  /// suffices.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func width(_ columnCount: Int) -> Int {
    columnCount > panelWidth / 2 ? panelWidth : panelWidth / 2
  }
}

/// What no product of an 8-bit weight and an activation, each less its zero point, exceeds in
/// magnitude; nil where the weights' zero point is not one of their values.
///
/// Activations are bytes: 255 bounds their distance from any zero point in their range.
package func greatestTerm(isSigned: Bool, zeroPoint: Int32) -> Int64? {
  let values: ClosedRange<Int32> = isSigned ? -128...127 : 0...255
  guard values.contains(zeroPoint) else { return nil }
  return Int64(max(values.upperBound - zeroPoint, zeroPoint - values.lowerBound)) * 255
}

/// The greatest magnitude of `count` biases, or zero where there are none.
func greatestMagnitude(_ biases: UnsafePointer<Int32>?, count: Int) -> UInt32 {
  guard let biases = unsafe biases else { return 0 }
  var greatest: UInt32 = 0
  for index in 0..<count { greatest = unsafe max(greatest, biases[index].magnitude) }
  return greatest
}
