// SPDX-License-Identifier: Apache-2.0

/// How a panel of an 8-bit matrix holds its columns' weights.
@frozen
@usableFromInline
package enum BytePanelForm: Sendable {
  /// Four rows' weights of a column as bytes, side by side.
  case bytes
  /// As `bytes`, but eight rows': for products of matrices.
  case octets
  /// Two rows' weights of a column as 16-bit words, less their zero point: for wide levels.
  case words
  /// As `words`, but as bytes from which the zero point is not yet subtracted: half as large.
  case compact

  /// Rows whose weights lie side by side.
  @_alwaysEmitIntoClient
  @inline(__always)
  package var rowStep: Int {
    switch self {
    case .bytes: 4
    case .octets: 8
    case .words, .compact: 2
    }
  }

  /// Bytes of a column's weights for a word of activations.
  @_alwaysEmitIntoClient
  @inline(__always)
  package var wordByteCount: Int { self == .compact ? 2 : 4 }

  /// Bytes that the weights of `rowStep` rows take for each column.
  @_alwaysEmitIntoClient
  @inline(__always)
  package var laneByteCount: Int { self == .octets ? 8 : wordByteCount }

  /// Whether weights are bytes that are multiplied as they are.
  @_alwaysEmitIntoClient
  @inline(__always)
  package var hasBytes: Bool { self == .bytes || self == .octets }

  /// Bytes of the biases of `width` columns and of their weights for `wordCount` words of activations.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func byteCount(width: Int, wordCount: Int) -> Int {
    width &* (4 &+ wordCount &* wordByteCount)
  }
}

/// Panels of a `PackedByteMatrix`, one behind the other.
@unsafe
@frozen
@usableFromInline
package struct BytePanels {
  /// The first panel.
  @usableFromInline package var first: UnsafeRawPointer
  /// Whether they are compact, else in the form that is multiplied.
  @usableFromInline package var isCompact: Bool
  /// What is subtracted from compact weights.
  @usableFromInline package var zeroPoint: Int16
  /// What each row's sum of activations adds to the row's results, times this factor.
  @usableFromInline package var rowSumFactor: Int32

  @_alwaysEmitIntoClient
  @inline(__always)
  init(first: UnsafeRawPointer, isCompact: Bool, zeroPoint: Int16, rowSumFactor: Int32) {
    unsafe self.first = first
    unsafe self.isCompact = isCompact
    unsafe self.zeroPoint = zeroPoint
    unsafe self.rowSumFactor = rowSumFactor
  }

  /// The panels from `offset` bytes further on.
  package func advanced(by offset: Int) -> BytePanels {
    var panels = unsafe self
    unsafe panels.first += offset
    return unsafe panels
  }

  /// Panels of words.
  package init(words first: UnsafeRawPointer) {
    unsafe self.init(first: first, isCompact: false, zeroPoint: 0, rowSumFactor: 0)
  }
}

/// A panel that is being packed.
@unsafe
struct BytePanel {
  /// How weights are held.
  private(set) var form: BytePanelForm
  private let address: UnsafeMutableRawPointer
  /// Columns, some of which may be padding.
  private let width: Int
  /// What makes bytes signed.
  private let flip: UInt32
  /// The zero point of the signed weights.
  private let zeroPoint: Int32
  private let pairOrder: WordPairOrder

  init(
    _ source: ByteMatrixSource, _ form: BytePanelForm, _ pairOrder: WordPairOrder, width: Int,
    at address: UnsafeMutableRawPointer
  ) {
    unsafe self.form = form
    unsafe self.pairOrder = pairOrder
    unsafe self.address = address
    unsafe self.width = width
    unsafe flip = source.isSigned ? 0 : 0x8080_8080
    unsafe zeroPoint = source.signedZeroPoint
  }

  /// The panel, whose form the caller has looked at.
  @inline(__always)
  func inForm(_ form: BytePanelForm) -> BytePanel {
    var panel = unsafe self
    unsafe panel.form = form
    return unsafe panel
  }

  /// Fills a compact panel, which is zero, with weights for `wordCount` words that count as zero.
  func clear(wordCount: Int) {
    guard unsafe form == .compact, unsafe zeroPoint != 0 else { return }
    let byteCount = unsafe wordCount &* width &* form.wordByteCount
    unsafe (address + width &* 4).initializeMemory(
      as: UInt8.self, repeating: UInt8(truncatingIfNeeded: zeroPoint), count: byteCount)
  }

  /// Writes a column's bias.
  func store(bias: Int32, column: Int) {
    unsafe address.storeBytes(of: bias, toByteOffset: column &* 4, as: Int32.self)
  }

  /// Writes a weight.
  @inline(__always)
  func store(_ byte: UInt8, row: Int, column: Int) {
    let signed = unsafe Int8(bitPattern: byte ^ UInt8(truncatingIfNeeded: flip))
    let lane = unsafe row % form.rowStep
    if unsafe form.hasBytes {
      unsafe place(row, column).storeBytes(of: signed, toByteOffset: lane, as: Int8.self)
      return
    }
    let step = unsafe place(row, 0)
    let offset = unsafe pairOrder.offset(ofWord: lane, column: column)
    if unsafe form == .words {
      let word = unsafe Int16(truncatingIfNeeded: Int32(signed) &- zeroPoint)
      unsafe step.storeBytes(of: word, toByteOffset: offset, as: Int16.self)
    } else {
      unsafe step.storeBytes(of: signed, toByteOffset: offset / 2, as: Int8.self)
    }
  }

  /// Writes a column's weights of four rows from `row` on, a multiple of four.
  @inline(__always)
  func store(_ quad: UInt32, row: Int, column: Int) {
    if unsafe form.hasBytes {
      unsafe place(row, column).storeBytes(
        of: quad ^ flip, toByteOffset: row % form.rowStep, as: UInt32.self)
    } else {
      for index in 0..<4 {
        let byte = UInt8(truncatingIfNeeded: quad &>> UInt32(index &* 8))
        unsafe store(byte, row: row &+ index, column: column)
      }
    }
  }

  /// Writes the weights of four rows from `row` on, a multiple of four, and of four columns, each of
  /// which is a 32-bit word.
  @inline(__always)
  func store(_ quads: SIMD4<UInt32>, row: Int, column: Int) {
    let signed = unsafe quads ^ SIMD4(repeating: flip)
    let place = unsafe place(row, column)
    switch unsafe form {
    case .bytes: unsafe place.storeBytes(of: signed, as: SIMD4<UInt32>.self)
    case .octets:
      let lanes = unsafe place + row % form.rowStep
      for lane in 0..<4 {
        unsafe lanes.storeBytes(of: signed[lane], toByteOffset: lane &* 8, as: UInt32.self)
      }
    case .compact:
      let bytes = unsafe pairOrder.bytes(signed)
      unsafe place.storeBytes(of: bytes.lowHalf, as: SIMD8<UInt8>.self)
      unsafe (place + width &* 2).storeBytes(of: bytes.highHalf, as: SIMD8<UInt8>.self)
    case .words:
      let bytes = unsafe pairOrder.bytes(signed)
      unsafe place.storeBytes(of: words(bytes.lowHalf), as: SIMD8<UInt16>.self)
      unsafe (place + width &* 4).storeBytes(of: words(bytes.highHalf), as: SIMD8<UInt16>.self)
    }
  }

  /// Signed bytes, widened and less their zero point.
  @inline(__always)
  private func words(_ bytes: SIMD8<UInt8>) -> SIMD8<UInt16> {
    let signed = unsafe unsafeBitCast(bytes, to: SIMD8<Int8>.self)
    let words = SIMD8<UInt16>(
      UInt16(truncatingIfNeeded: signed[0]), UInt16(truncatingIfNeeded: signed[1]),
      UInt16(truncatingIfNeeded: signed[2]), UInt16(truncatingIfNeeded: signed[3]),
      UInt16(truncatingIfNeeded: signed[4]), UInt16(truncatingIfNeeded: signed[5]),
      UInt16(truncatingIfNeeded: signed[6]), UInt16(truncatingIfNeeded: signed[7]))
    return unsafe words &- SIMD8(repeating: UInt16(truncatingIfNeeded: zeroPoint))
  }

  @inline(__always)
  private func place(_ row: Int, _ column: Int) -> UnsafeMutableRawPointer {
    unsafe address + width &* 4
      + (row &>> form.rowStep.trailingZeroBitCount &* width &+ column) &* form.laneByteCount
  }
}
