// SPDX-License-Identifier: Apache-2.0

#if (!ONLY_X86_64 || arch(x86_64)) && (!ONLY_ARM64 || arch(arm64))
  internal import Microkernels

  /// Columns of rows, each reduced in the order of rows.
  func reducePlainColumns(_ rows: ReducedRows, _ reduction: PlainReduction) {
    switch reduction {
    case .floatSum, .floatMaximum, .floatMinimum: unsafe reduceFloatColumns(rows, reduction)
    case .signedByteSum, .byteSum, .shortSum, .wordSum: unsafe sumColumns(rows, reduction)
    default: unsafe chooseInColumns(rows, reduction)
    }
  }

  @inline(never)
  func reduceFloatColumns(_ rows: ReducedRows, _ reduction: PlainReduction) {
    typealias Lanes = PlainBlock<Float>
    switch reduction {
    case .floatSum: unsafe reduceColumns(rows, lanes: { (a: Lanes, b: Lanes) in a + b }) { $0 + $1 }
    case .floatMaximum: unsafe reduceColumns(rows, lanes: largerFloats) { $0 < $1 ? $1 : $0 }
    default: unsafe reduceColumns(rows, lanes: smallerFloats) { $1 < $0 ? $1 : $0 }
    }
  }

  @inline(never)
  func sumColumns(_ rows: ReducedRows, _ reduction: PlainReduction) {
    switch reduction {
    case .signedByteSum: unsafe reduceColumns(rows, lanes: addSignedBytes) { $0 &+ Int32($1) }
    case .byteSum: unsafe reduceColumns(rows, lanes: addBytes) { $0 &+ Int32($1) }
    case .shortSum: unsafe reduceColumns(rows, lanes: addShorts) { $0 &+ Int32($1) }
    default: unsafe reduceColumns(rows, lanes: addWords) { $0 &+ $1 }
    }
  }

  @inline(never)
  func chooseInColumns(_ rows: ReducedRows, _ reduction: PlainReduction) {
    switch reduction {
    case .byteMaximum: unsafe reduceColumns(rows, lanes: largerBytes) { max($0, $1) }
    case .byteMinimum: unsafe reduceColumns(rows, lanes: smallerBytes) { min($0, $1) }
    case .signedByteMaximum: unsafe reduceColumns(rows, lanes: largerSignedBytes) { max($0, $1) }
    case .signedByteMinimum: unsafe reduceColumns(rows, lanes: smallerSignedBytes) { min($0, $1) }
    case .shortMaximum: unsafe reduceColumns(rows, lanes: largerShorts) { max($0, $1) }
    case .shortMinimum: unsafe reduceColumns(rows, lanes: smallerShorts) { min($0, $1) }
    case .wordMaximum: unsafe reduceColumns(rows, lanes: largerWords) { max($0, $1) }
    default: unsafe reduceColumns(rows, lanes: smallerWords) { min($0, $1) }
    }
  }

  /// Rows, each reduced.
  func reducePlainRows(_ rows: ReducedRows, _ reduction: PlainReduction) {
    switch reduction {
    case .floatSum, .floatMaximum, .floatMinimum: unsafe reduceFloatRows(rows, reduction)
    case .signedByteSum, .byteSum, .shortSum, .wordSum: unsafe sumRows(rows, reduction)
    default: unsafe chooseInRows(rows, reduction)
    }
  }

  @inline(never)
  func reduceFloatRows(_ rows: ReducedRows, _ reduction: PlainReduction) {
    switch reduction {
    case .floatSum: unsafe sumFloatRows(rows)
    case .floatMaximum: unsafe choose(rows, -.infinity, largerFloats) { $0 < $1 ? $1 : $0 }
    default: unsafe choose(rows, .infinity, smallerFloats) { $1 < $0 ? $1 : $0 }
    }
  }

  @inline(never)
  func sumRows(_ rows: ReducedRows, _ reduction: PlainReduction) {
    switch reduction {
    case .signedByteSum: unsafe sum(rows, addSignedBytes) { $0 &+ Int32($1) }
    case .byteSum: unsafe sum(rows, addBytes) { $0 &+ Int32($1) }
    case .shortSum: unsafe sum(rows, addShorts) { $0 &+ Int32($1) }
    default: unsafe sum(rows, addWords) { $0 &+ $1 }
    }
  }

  @inline(never)
  func chooseInRows(_ rows: ReducedRows, _ reduction: PlainReduction) {
    switch reduction {
    case .byteMaximum: unsafe choose(rows, .min, largerBytes) { max($0, $1) }
    case .byteMinimum: unsafe choose(rows, .max, smallerBytes) { min($0, $1) }
    case .signedByteMaximum: unsafe choose(rows, .min, largerSignedBytes) { max($0, $1) }
    case .signedByteMinimum: unsafe choose(rows, .max, smallerSignedBytes) { min($0, $1) }
    case .shortMaximum: unsafe choose(rows, .min, largerShorts) { max($0, $1) }
    case .shortMinimum: unsafe choose(rows, .max, smallerShorts) { min($0, $1) }
    case .wordMaximum: unsafe choose(rows, .min, largerWords) { max($0, $1) }
    default: unsafe choose(rows, .max, smallerWords) { min($0, $1) }
    }
  }

  /// Rows of which each result is one of its elements; `empty` is the result of none.
  @inline(__always)
  private func choose<Element: SIMDScalar & BitwiseCopyable>(
    _ rows: ReducedRows, _ empty: Element,
    _ lanes: (PlainBlock<Element>, PlainBlock<Element>) -> PlainBlock<Element>,
    _ one: (Element, Element) -> Element
  ) { unsafe reduceRows(rows, empty: empty, several: true, lanes: lanes, one, join: lanes, one) }

  /// Rows of integers that are added up.
  @inline(__always)
  private func sum<Element: SIMDScalar & BitwiseCopyable>(
    _ rows: ReducedRows, _ lanes: (PlainBlock<Int32>, PlainBlock<Element>) -> PlainBlock<Int32>,
    _ one: (Int32, Element) -> Int32
  ) {
    unsafe reduceRows(
      rows, empty: 0, several: false, lanes: lanes, one, join: addWords, { $0 &+ $1 })
  }

  // Of equal elements the first is taken, and never NaN. Written out for each type: where the type is a
  // parameter, vectors are compared lane by lane. The lanes of a comparison are 0 or -1, so that a product
  // chooses: compilers make a maximum of it, where `replacing` gives them 16 scalars first.

  @inline(__always)
  private func largerFloats(_ a: PlainBlock<Float>, _ b: PlainBlock<Float>) -> PlainBlock<Float> {
    chosen(b, where: a .< b, else: a)
  }

  @inline(__always)
  private func smallerFloats(_ a: PlainBlock<Float>, _ b: PlainBlock<Float>) -> PlainBlock<Float> {
    chosen(b, where: b .< a, else: a)
  }

  @inline(__always)
  private func chosen(
    _ chosen: PlainBlock<Float>, where isChosen: SIMDMask<PlainBlock<Int32>>,
    else other: PlainBlock<Float>
  ) -> PlainBlock<Float> {
    typealias Bits = PlainBlock<Int32>
    let (first, second) = unsafe (
      unsafeBitCast(other, to: Bits.self), unsafeBitCast(chosen, to: Bits.self)
    )
    let bits = unsafe first &- unsafeBitCast(isChosen, to: Bits.self) &* (second &- first)
    return unsafe unsafeBitCast(bits, to: PlainBlock<Float>.self)
  }

  @inline(__always)
  private func largerBytes(_ a: PlainBlock<UInt8>, _ b: PlainBlock<UInt8>) -> PlainBlock<UInt8> {
    unsafe a &- unsafeBitCast(a .< b, to: PlainBlock<UInt8>.self) &* (b &- a)
  }

  @inline(__always)
  private func smallerBytes(_ a: PlainBlock<UInt8>, _ b: PlainBlock<UInt8>) -> PlainBlock<UInt8> {
    unsafe a &- unsafeBitCast(b .< a, to: PlainBlock<UInt8>.self) &* (b &- a)
  }

  @inline(__always)
  private func largerSignedBytes(_ a: PlainBlock<Int8>, _ b: PlainBlock<Int8>) -> PlainBlock<Int8> {
    unsafe a &- unsafeBitCast(a .< b, to: PlainBlock<Int8>.self) &* (b &- a)
  }

  @inline(__always)
  private func smallerSignedBytes(_ a: PlainBlock<Int8>, _ b: PlainBlock<Int8>) -> PlainBlock<Int8>
  {
    unsafe a &- unsafeBitCast(b .< a, to: PlainBlock<Int8>.self) &* (b &- a)
  }

  @inline(__always)
  private func largerShorts(_ a: PlainBlock<Int16>, _ b: PlainBlock<Int16>) -> PlainBlock<Int16> {
    unsafe a &- unsafeBitCast(a .< b, to: PlainBlock<Int16>.self) &* (b &- a)
  }

  @inline(__always)
  private func smallerShorts(_ a: PlainBlock<Int16>, _ b: PlainBlock<Int16>) -> PlainBlock<Int16> {
    unsafe a &- unsafeBitCast(b .< a, to: PlainBlock<Int16>.self) &* (b &- a)
  }

  @inline(__always)
  private func largerWords(_ a: PlainBlock<Int32>, _ b: PlainBlock<Int32>) -> PlainBlock<Int32> {
    unsafe a &- unsafeBitCast(a .< b, to: PlainBlock<Int32>.self) &* (b &- a)
  }

  @inline(__always)
  private func smallerWords(_ a: PlainBlock<Int32>, _ b: PlainBlock<Int32>) -> PlainBlock<Int32> {
    unsafe a &- unsafeBitCast(b .< a, to: PlainBlock<Int32>.self) &* (b &- a)
  }

  @inline(__always)
  private func addBytes(_ a: PlainBlock<Int32>, _ b: PlainBlock<UInt8>) -> PlainBlock<Int32> {
    a &+ PlainBlock { Int32(b[$0]) }
  }

  @inline(__always)
  private func addSignedBytes(_ a: PlainBlock<Int32>, _ b: PlainBlock<Int8>) -> PlainBlock<Int32> {
    a &+ PlainBlock { Int32(b[$0]) }
  }

  @inline(__always)
  private func addShorts(_ a: PlainBlock<Int32>, _ b: PlainBlock<Int16>) -> PlainBlock<Int32> {
    a &+ PlainBlock { Int32(b[$0]) }
  }

  @inline(__always)
  private func addWords(_ a: PlainBlock<Int32>, _ b: PlainBlock<Int32>) -> PlainBlock<Int32> {
    a &+ b
  }
#endif
