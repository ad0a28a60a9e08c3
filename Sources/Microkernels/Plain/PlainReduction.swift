// SPDX-License-Identifier: Apache-2.0

/// Reductions that compilers make vectors of.
@frozen
@usableFromInline
package enum PlainReduction: Sendable, CaseIterable {
  // NaN is neither the greatest nor the least of floats.
  case floatSum, floatMaximum, floatMinimum
  case byteMaximum, byteMinimum, signedByteMaximum, signedByteMinimum
  case shortMaximum, shortMinimum, wordMaximum, wordMinimum
  // Sums of integers are 32-bit ones, modulo 2^32.
  case signedByteSum, byteSum, shortSum, wordSum
}

/// Rows of elements that are reduced, and where the results lie side by side, which they are taken
/// into.
@unsafe
@frozen
@usableFromInline
package struct ReducedRows {
  /// The first row's first element.
  @usableFromInline package var input: UnsafeRawPointer
  /// Bytes from one row to the next.
  @usableFromInline package var stride: Int
  /// Rows.
  @usableFromInline package var rowCount: Int
  /// Elements of a row.
  @usableFromInline package var columnCount: Int
  /// The results so far.
  @usableFromInline package var totals: UnsafeMutableRawPointer

  /// Rows of these parts.
  @_alwaysEmitIntoClient
  @inline(__always)
  package init(
    input: UnsafeRawPointer, stride: Int, rowCount: Int, columnCount: Int,
    totals: UnsafeMutableRawPointer
  ) {
    unsafe self.input = input
    unsafe self.stride = stride
    unsafe self.rowCount = rowCount
    unsafe self.columnCount = columnCount
    unsafe self.totals = totals
  }
}

extension ReducedRows {
  /// Sixteen elements of a row from `column` on.
  @_alwaysEmitIntoClient
  @inline(__always)
  func elements<Element: SIMDScalar>(
    _ row: UnsafeRawPointer, _ column: Int, as _: Element.Type
  ) -> PlainBlock<Element> {
    let address = unsafe row + column &* MemoryLayout<Element>.size
    return unsafe address.loadUnaligned(as: PlainBlock<Element>.self)
  }

  /// Takes 64 elements of a row from `column` on into four vectors of results.
  @_alwaysEmitIntoClient
  @inline(__always)
  func take<Element: SIMDScalar, Total: SIMDScalar>(
    _ row: UnsafeRawPointer, _ column: Int, to first: inout PlainBlock<Total>,
    _ second: inout PlainBlock<Total>, _ third: inout PlainBlock<Total>,
    _ fourth: inout PlainBlock<Total>,
    _ lanes: (_ totals: PlainBlock<Total>, _ elements: PlainBlock<Element>) -> PlainBlock<Total>
  ) {
    first = unsafe lanes(first, elements(row, column, as: Element.self))
    second = unsafe lanes(second, elements(row, column &+ 16, as: Element.self))
    third = unsafe lanes(third, elements(row, column &+ 32, as: Element.self))
    fourth = unsafe lanes(fourth, elements(row, column &+ 48, as: Element.self))
  }

  /// The sixteen results from `column` on.
  @_alwaysEmitIntoClient
  @inline(__always)
  func totals<Total: SIMDScalar>(_ column: Int, as type: Total.Type) -> PlainBlock<Total> {
    unsafe elements(UnsafeRawPointer(totals), column, as: type)
  }

  /// Stores sixteen results from `column` on.
  @_alwaysEmitIntoClient
  @inline(__always)
  func store<Total: SIMDScalar>(_ results: PlainBlock<Total>, _ column: Int) {
    unsafe totals.storeBytes(
      of: results, toByteOffset: column &* MemoryLayout<Total>.size, as: PlainBlock<Total>.self)
  }
}

/// Takes the elements of each column into its result, in the order of rows, sixteen columns by
/// `lanes` and single ones by `body`.
///
/// Made of sixteen operations on scalars, compilers would take some out of a vector.
@_alwaysEmitIntoClient
@inline(__always)
package func reduceColumns<
  Element: SIMDScalar & BitwiseCopyable, Total: SIMDScalar & BitwiseCopyable
>(
  _ rows: ReducedRows,
  lanes: (_ totals: PlainBlock<Total>, _ elements: PlainBlock<Element>) -> PlainBlock<Total>,
  _ body: (_ total: Total, _ element: Element) -> Total
) {
  var column = 0
  // Four results at a time, none of which waits for another.
  while unsafe column &+ 64 <= rows.columnCount {
    var first = unsafe rows.totals(column, as: Total.self)
    var second = unsafe rows.totals(column &+ 16, as: Total.self)
    var third = unsafe rows.totals(column &+ 32, as: Total.self)
    var fourth = unsafe rows.totals(column &+ 48, as: Total.self)
    var row = unsafe rows.input
    for _ in unsafe 0..<rows.rowCount {
      unsafe rows.take(row, column, to: &first, &second, &third, &fourth, lanes)
      unsafe row += rows.stride
    }
    unsafe rows.store(first, column)
    unsafe rows.store(second, column &+ 16)
    unsafe rows.store(third, column &+ 32)
    unsafe rows.store(fourth, column &+ 48)
    column &+= 64
  }
  while unsafe column &+ 16 <= rows.columnCount {
    var totals = unsafe rows.totals(column, as: Total.self)
    var row = unsafe rows.input
    for _ in unsafe 0..<rows.rowCount {
      let elements = unsafe rows.elements(row, column, as: Element.self)
      totals = lanes(totals, elements)
      unsafe row += rows.stride
    }
    unsafe rows.store(totals, column)
    column &+= 16
  }
  let totals = unsafe rows.totals.assumingMemoryBound(to: Total.self)
  for rest in unsafe column..<rows.columnCount {
    var total = unsafe totals[rest]
    var element = unsafe rows.input + rest &* MemoryLayout<Element>.size
    for _ in unsafe 0..<rows.rowCount {
      total = unsafe body(total, element.loadUnaligned(as: Element.self))
      unsafe element += rows.stride
    }
    unsafe totals[rest] = total
  }
}

/// Takes the elements of each row into its result, in any order: `lanes` and `body` take elements
/// into results, `join` and `joinTwo` other results, and `empty` is the result of no elements.
///
/// With `several`, long rows have four vectors of results that need not wait for each other.
/// Compilers would take sums apart where they are joined.
@_alwaysEmitIntoClient
@inline(__always)
package func reduceRows<
  Element: SIMDScalar & BitwiseCopyable, Total: SIMDScalar & BitwiseCopyable
>(
  _ rows: ReducedRows, empty: Total, several: Bool,
  lanes: (_ totals: PlainBlock<Total>, _ elements: PlainBlock<Element>) -> PlainBlock<Total>,
  _ body: (_ total: Total, _ element: Element) -> Total,
  join: (PlainBlock<Total>, PlainBlock<Total>) -> PlainBlock<Total>,
  _ joinTwo: (Total, Total) -> Total
) {
  let totals = unsafe rows.totals.assumingMemoryBound(to: Total.self)
  let whole = unsafe rows.columnCount & ~15
  var row = unsafe rows.input
  for index in unsafe 0..<rows.rowCount {
    var total = unsafe totals[index]
    if whole > 0 {
      var all = unsafe reducedLanes(
        rows, row, count: whole, empty: empty, several: several, lanes: lanes, join: join)
      all = join(all, PlainBlock(lowHalf: all.highHalf, highHalf: all.lowHalf))
      let half = all.lowHalf
      let swapped = SIMD8(lowHalf: half.highHalf, highHalf: half.lowHalf)
      all = join(all, PlainBlock(lowHalf: swapped, highHalf: swapped))
      let four = all.lowHalf.lowHalf
      total = joinTwo(
        total, joinTwo(joinTwo(four[0], four[2]), joinTwo(four[1], four[3])))
    }
    for column in unsafe whole..<rows.columnCount {
      let element = unsafe row + column &* MemoryLayout<Element>.size
      total = unsafe body(total, element.loadUnaligned(as: Element.self))
    }
    unsafe totals[index] = total
    unsafe row += rows.stride
  }
}

/// Sixteen results of the first `count` elements of a row, a multiple of sixteen.
@_alwaysEmitIntoClient
@inline(__always)
func reducedLanes<
  Element: SIMDScalar & BitwiseCopyable, Total: SIMDScalar & BitwiseCopyable
>(
  _ rows: ReducedRows, _ row: UnsafeRawPointer, count: Int, empty: Total, several: Bool,
  lanes: (_ totals: PlainBlock<Total>, _ elements: PlainBlock<Element>) -> PlainBlock<Total>,
  join: (PlainBlock<Total>, PlainBlock<Total>) -> PlainBlock<Total>
) -> PlainBlock<Total> {
  var first = PlainBlock<Total>(repeating: empty)
  var column = 0
  if several, count >= 64 {
    var (second, third, fourth) = (first, first, first)
    while column &+ 64 <= count {
      unsafe rows.take(row, column, to: &first, &second, &third, &fourth, lanes)
      column &+= 64
    }
    first = join(join(first, second), join(third, fourth))
  }
  while column < count {
    let elements = unsafe rows.elements(row, column, as: Element.self)
    first = lanes(first, elements)
    column &+= 16
  }
  return first
}

/// Adds the sum of each row of floats to its result.
///
/// Few are summed one after the other. From sixteen on there are sixteen sums, of every sixteenth
/// element, which are added up in pairs: additions that need not wait for each other, the same
/// whatever the vectors of the processor.
@_alwaysEmitIntoClient
@inline(__always)
package func sumFloatRows(_ rows: ReducedRows) {
  let totals = unsafe rows.totals.assumingMemoryBound(to: Float.self)
  let whole = unsafe rows.columnCount & ~15
  var (row, index) = unsafe (rows.input, 0)
  // The sums of four rows are added up together; those of fewer together with any others.
  var sums = FourLaneSums()
  while unsafe index < rows.rowCount {
    let count = unsafe min(4, rows.rowCount &- index)
    if whole > 0 {
      for next in 0..<count {
        sums.lanes[next] = unsafe reducedLanes(
          rows, row + next &* rows.stride, count: whole, empty: Float(0), several: false,
          lanes: { (totals: PlainBlock<Float>, elements: PlainBlock<Float>) in totals + elements },
          join: { $0 + $1 })
      }
      unsafe withUnsafeMutablePointer(to: &sums) { unsafe sumInPairs($0) }
    }
    for next in 0..<count {
      var sum = whole > 0 ? sums.sums[next] : 0
      for column in unsafe whole..<rows.columnCount {
        sum += unsafe row.loadUnaligned(fromByteOffset: column &* 4, as: Float.self)
      }
      unsafe totals[index &+ next] += sum
      unsafe row += rows.stride
    }
    index &+= count
  }
}

/// Sixteen sums of each of four rows, and what they add up to.
@frozen
@usableFromInline
struct FourLaneSums {
  @usableFromInline var lanes = InlineArray<4, SIMD16<Float>>(repeating: .zero)
  /// Four sums of each row.
  @usableFromInline var fours = InlineArray<4, SIMD4<Float>>(repeating: .zero)
  @usableFromInline var sums = SIMD4<Float>.zero

  @_alwaysEmitIntoClient
  @inline(__always)
  init() {}
}

/// Adds up the sixteen sums of each row, in pairs.
///
/// Out of line: together with the loop before it, compilers compute some lanes outside of vectors.
@usableFromInline
@inline(never)
func sumInPairs(_ rows: UnsafeMutablePointer<FourLaneSums>) {
  for row in 0..<4 {
    let lanes = unsafe rows.pointee.lanes[row]
    let eight = lanes.lowHalf + lanes.highHalf
    unsafe rows.pointee.fours[row] = eight.lowHalf + eight.highHalf
  }
  unsafe sumFours(rows)
}

/// Adds up the four sums of each row, in pairs.
///
/// Out of line: compilers would bring all sixteen sums into another order first.
@inline(never)
private func sumFours(_ rows: UnsafeMutablePointer<FourLaneSums>) {
  let fours = unsafe rows.pointee.fours
  let left = SIMD8(lowHalf: fours[0], highHalf: fours[1])
  let right = SIMD8(lowHalf: fours[2], highHalf: fours[3])
  // The sums 0 and 1 of each row, and 2 and 3 of each, are every second pair.
  let (even, odd) = (
    SIMD8(lowHalf: left.evenHalf, highHalf: right.evenHalf),
    SIMD8(lowHalf: left.oddHalf, highHalf: right.oddHalf)
  )
  unsafe rows.pointee.sums = (even.evenHalf + even.oddHalf) + (odd.evenHalf + odd.oddHalf)
}

extension PlainReduction {
  /// Bytes of an element.
  package var elementSize: Int {
    switch self {
    case .byteMaximum, .byteMinimum, .signedByteMaximum, .signedByteMinimum, .byteSum,
      .signedByteSum:
      1
    case .shortMaximum, .shortMinimum, .shortSum: 2
    case .floatSum, .floatMaximum, .floatMinimum, .wordMaximum, .wordMinimum, .wordSum: 4
    }
  }

  /// Bytes of a result.
  package var totalSize: Int {
    switch self {
    case .byteSum, .signedByteSum, .shortSum: 4
    default: elementSize
    }
  }
}
