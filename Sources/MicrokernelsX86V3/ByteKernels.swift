// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels
  internal import _Builtin_intrinsics.intel

  /// 32 bytes; products of 16-bit words.
  private enum ByteVectors: ByteLaneInstructions, ByteShuffleInstructions {
    typealias Vector = __m256i

    /// Significands of the even and of the odd columns, what is added to their 64-bit products,
    /// and shifts.
    struct Scaling {
      let even: Vector
      let odd: Vector
      let evenAddend: Vector
      let oddAddend: Vector
      let shift: Vector
    }

    @inline(__always)
    static var isWide: Bool { true }

    @inline(__always)
    static func broadcast(_ word: Int32) -> Vector { _mm256_set1_epi32(word) }

    @inline(__always)
    static func add(_ left: Vector, _ right: Vector) -> Vector { _mm256_add_epi32(left, right) }

    @inline(__always)
    static func dot(_ sum: Vector, _ activations: Vector, _ weights: Vector) -> Vector {
      _mm256_add_epi32(sum, _mm256_madd_epi16(activations, weights))
    }

    @inline(__always)
    static func dot(
      _ sum: Vector, interleaved activations: Vector, _ weights: UnsafeRawPointer
    ) -> Vector {
      let even = _mm256_and_si256(activations, _mm256_set1_epi16(0xFF))
      let odd = _mm256_srli_epi16(activations, 8)
      return unsafe dot(dot(sum, even, load(weights)), odd, load(weights + byteCount))
    }

    @inline(__always)
    static func loadPrefix(_ pointer: UnsafeRawPointer, count: Int) -> Vector {
      guard count & 3 == 0 else { return unsafe copyPrefix(pointer, count: count) }
      let words = Int32(truncatingIfNeeded: count / 4)
      let mask = _mm256_cmpgt_epi32(broadcast(words), _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0))
      return unsafe _mm256_maskload_epi32(pointer.assumingMemoryBound(to: Int32.self), mask)
    }

    @inline(__always)
    static func flip(_ vector: Vector, _ mask: Vector) -> Vector { _mm256_xor_si256(vector, mask) }

    @inline(__always)
    static func interleaveBytes(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
      (_mm256_unpacklo_epi8(left, right), _mm256_unpackhi_epi8(left, right))
    }

    @inline(__always)
    static func interleaveWords(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
      (_mm256_unpacklo_epi16(left, right), _mm256_unpackhi_epi16(left, right))
    }

    @inline(__always)
    static func scaling(_ table: UnsafeRawPointer, planeStride: Int) -> Scaling {
      let even = unsafe load(table)
      return unsafe Scaling(
        even: even, odd: _mm256_srli_epi64(even, 32), evenAddend: load(table + 2 &* planeStride),
        oddAddend: load(table + 3 &* planeStride), shift: load(table + planeStride))
    }

    @inline(__always)
    static func scale(_ sum: Vector, _ scaling: Scaling, halfAway: Bool) -> Vector {
      let factor = halfAway ? _mm256_add_epi32(sum, sum) : sum
      let upper = _mm256_srli_epi64(factor, 32)
      let even = _mm256_add_epi64(_mm256_mul_epi32(factor, scaling.even), scaling.evenAddend)
      let odd = _mm256_add_epi64(_mm256_mul_epi32(upper, scaling.odd), scaling.oddAddend)
      var code = _mm256_blendv_epi8(
        _mm256_srli_epi64(even, 32), odd, _mm256_set1_epi64x(-1 << 32))
      if halfAway { code = _mm256_add_epi32(code, _mm256_srai_epi32(sum, 31)) }
      return _mm256_srav_epi32(code, scaling.shift)
    }

    @inline(__always)
    static func narrow(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector) -> Vector {
      // Each 128-bit lane holds four bytes of every vector: gather each vector's.
      let order = _mm256_set_epi32(7, 3, 6, 2, 5, 1, 4, 0)
      return _mm256_permutevar8x32_epi32(narrowInterleaved(a, b, c, d), order)
    }

    @inline(__always)
    static func narrowInterleaved(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector) -> Vector {
      _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d))
    }

    @inline(__always)
    static func clampBytes(_ bytes: Vector, _ lowest: Vector, _ highest: Vector) -> Vector {
      _mm256_min_epi8(_mm256_max_epi8(bytes, lowest), highest)
    }
  }

  extension ByteVectors {
    @inline(__always)
    static func subtract(_ left: Vector, _ right: Vector) -> Vector {
      _mm256_sub_epi32(left, right)
    }

    @inline(__always)
    static func shiftLeft(_ vector: Vector, by count: Int32) -> Vector {
      _mm256_sll_epi32(vector, _mm_cvtsi32_si128(count))
    }

    @inline(__always)
    static func shiftRight(_ vector: Vector, by count: Int32) -> Vector {
      _mm256_sra_epi32(vector, _mm_cvtsi32_si128(count))
    }

    @inline(__always)
    static func addWords(_ left: Vector, _ right: Vector) -> Vector {
      _mm256_add_epi16(left, right)
    }

    @inline(__always)
    static func highBytes(_ words: Vector) -> Vector { _mm256_srai_epi16(words, 8) }

    @inline(__always)
    static func multiplyWords(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
      (_mm256_mullo_epi16(left, right), _mm256_mulhi_epi16(left, right))
    }

    @inline(__always)
    static func hasLess(
      _ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector, _ mask: Vector, than limit: Vector
    ) -> Bool {
      let first = _mm256_min_epi32(_mm256_and_si256(a, mask), _mm256_and_si256(b, mask))
      let second = _mm256_min_epi32(_mm256_and_si256(c, mask), _mm256_and_si256(d, mask))
      return _mm256_movemask_epi8(
        _mm256_cmpgt_epi32(limit, _mm256_min_epi32(first, second))) != 0
    }

    @inline(__always)
    static func dotWords(_ left: Vector, _ right: Vector) -> Vector {
      _mm256_madd_epi16(left, right)
    }
  }

  extension ByteVectors {
    @inline(__always)
    static func loadLanes(_ pointer: UnsafeRawPointer) -> Vector {
      _mm256_broadcastsi128_si256(unsafe pointer.loadUnaligned(as: __m128i.self))
    }

    @inline(__always)
    static func shuffle(_ table: Vector, _ indices: Vector) -> Vector {
      _mm256_shuffle_epi8(table, indices)
    }

    @inline(__always)
    static func subtractSaturated(_ left: Vector, _ right: Vector) -> Vector {
      _mm256_subs_epi8(left, right)
    }
  }

  /// Copies rows to where the tile reads them.
  func copyByteRows(_ task: ByteRowsTask) { unsafe copyRows(task, ByteVectors.self) }

  /// A tile of a byte product, as wide as one or two vectors.
  func byteTile(_ task: ByteTileTask, vectors: Int) {
    if vectors == 2 {
      unsafe fullByteTile(task)
    } else {
      unsafe halfByteTile(task)
    }
  }

  @inline(never)
  func fullByteTile(_ task: ByteTileTask) {
    unsafe byteTile(task, tileRows: 5, ByteTile<ByteVectors, 1, 2>.self)
  }

  @inline(never)
  func halfByteTile(_ task: ByteTileTask) {
    unsafe byteTile(task, tileRows: 5, ByteTile<ByteVectors, 1, 1>.self)
  }

  /// A full tile of a byte product, with its sums scaled to codes.
  func scaledByteTile(_ task: ByteScaledTileTask, hasTerms: Bool) {
    switch (unsafe task.finish.shiftsHalvesAway, hasTerms) {
    case (true, false): unsafe doublyRoundedByteTile(task)
    case (true, true): unsafe doublyRoundedByteTileWithTerms(task)
    case (false, false): unsafe singlyRoundedByteTile(task)
    case (false, true): unsafe singlyRoundedByteTileWithTerms(task)
    }
  }

  @inline(never)
  func doublyRoundedByteTile(_ task: ByteScaledTileTask) {
    unsafe ByteTile<ByteVectors, 5, 2>.runScaled(task, halfAway: true, hasTerms: false)
  }

  @inline(never)
  func doublyRoundedByteTileWithTerms(_ task: ByteScaledTileTask) {
    unsafe ByteTile<ByteVectors, 5, 2>.runScaled(task, halfAway: true, hasTerms: true)
  }

  @inline(never)
  func singlyRoundedByteTile(_ task: ByteScaledTileTask) {
    unsafe ByteTile<ByteVectors, 5, 2>.runScaled(task, halfAway: false, hasTerms: false)
  }

  @inline(never)
  func singlyRoundedByteTileWithTerms(_ task: ByteScaledTileTask) {
    unsafe ByteTile<ByteVectors, 5, 2>.runScaled(task, halfAway: false, hasTerms: true)
  }

  /// Scales a product's sums to codes.
  func scaleByteProduct(_ task: ByteScaleTask) { unsafe scaleProduct(task, ByteVectors.self) }

  /// The sums of a part of a depthwise convolution.
  func byteDepthwise(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe byteDepthwise(task, part, pairs: false, ByteVectors.self)
  }

  /// Scales a depthwise convolution's sums to codes.
  func scaleByteDepthwise(_ task: ByteScaleTask) { unsafe scaleDepthwise(task, ByteVectors.self) }

  /// Sums of codes.
  func addBytes(
    _ row: ByteBinaryRow, _ operands: ByteOperands, _ terms: ByteSumTerms, _ finish: ByteFinish
  ) {
    if unsafe finish.shiftsHalvesAway {
      unsafe doublyRoundedByteSums(row, operands, terms, finish)
    } else if unsafe finish.roundsTwice {
      unsafe flooredByteSums(row, operands, terms, finish)
    } else {
      unsafe singlyRoundedByteSums(row, operands, terms, finish)
    }
  }

  @inline(never)
  func doublyRoundedByteSums(
    _ row: ByteBinaryRow, _ operands: ByteOperands, _ terms: ByteSumTerms, _ finish: ByteFinish
  ) {
    unsafe computeRow(
      row, ByteRowTwiceRoundedSum.self, ByteRowConstants<ByteVectors>(operands, terms, finish),
      halfAway: true)
  }

  @inline(never)
  func flooredByteSums(
    _ row: ByteBinaryRow, _ operands: ByteOperands, _ terms: ByteSumTerms, _ finish: ByteFinish
  ) {
    unsafe computeRow(
      row, ByteRowTwiceRoundedSum.self, ByteRowConstants<ByteVectors>(operands, terms, finish),
      halfAway: false)
  }

  @inline(never)
  func singlyRoundedByteSums(
    _ row: ByteBinaryRow, _ operands: ByteOperands, _ terms: ByteSumTerms, _ finish: ByteFinish
  ) {
    unsafe computeRow(
      row, ByteRowSum.self, ByteRowConstants<ByteVectors>(operands, terms, finish), halfAway: false)
  }

  /// Sums of codes as far as their estimates are certain.
  func estimateByteSums(
    _ row: ByteBinaryRow, _ start: Int, _ operands: ByteOperands, _ estimate: ByteSumEstimate,
    _ finish: ByteFinish
  ) -> Int {
    unsafe estimateRow(row, from: start, operands, estimate, ByteLimits<ByteVectors>(finish))
  }

  /// Products of codes.
  func multiplyBytes(_ row: ByteBinaryRow, _ operands: ByteOperands, _ finish: ByteFinish) {
    if unsafe finish.shiftsHalvesAway {
      unsafe doublyRoundedByteProducts(row, operands, finish)
    } else {
      unsafe singlyRoundedByteProducts(row, operands, finish)
    }
  }

  @inline(never)
  func doublyRoundedByteProducts(
    _ row: ByteBinaryRow, _ operands: ByteOperands, _ finish: ByteFinish
  ) {
    unsafe computeRow(
      row, ByteRowProduct.self, ByteRowConstants<ByteVectors>(operands, ByteSumTerms(), finish),
      halfAway: true)
  }

  @inline(never)
  func singlyRoundedByteProducts(
    _ row: ByteBinaryRow, _ operands: ByteOperands, _ finish: ByteFinish
  ) {
    unsafe computeRow(
      row, ByteRowProduct.self, ByteRowConstants<ByteVectors>(operands, ByteSumTerms(), finish),
      halfAway: false)
  }

  /// Sums of columns of codes.
  func sumByteColumns(_ rows: ByteColumns, _ sums: UnsafeMutableRawPointer) {
    unsafe sumColumns(rows, to: sums, ByteVectors.self)
  }

  /// Bytes replaced by a table's.
  func lookUpBytesByShuffles(_ task: ByteLookup) {
    unsafe shuffleBytes(task, ByteVectors.self)
  }

  /// The limit of byte arithmetic.
  func bytePeak(_ rounds: Int) -> Int32 { bytePeak(rounds, ByteVectors.self) }
#endif
