// SPDX-License-Identifier: Apache-2.0

extension ByteMicrokernels {
  /// Sums that `scaleAll` rounds counts up to: what both of its buffers must have room for.
  package static var scaleStep: Int { 64 }

  /// Positions that a `ByteScaling` for `scaleAll` must have, all with the same factor.
  package static let scalePositions = [Int?](repeating: 0, count: 16)

  /// Turns a row's sums into quantized values by the `real` form.
  ///
  /// Whole vectors of sums are read.
  @unsafe
  package func scaleReally(
    _ finish: ByteFinish, sums: UnsafeRawPointer, count: Int, to values: UnsafeMutableRawPointer
  ) {
    unsafe finishReally(RealFinish(finish, sums, count: count, column: 0, to: values))
  }

  /// Turns sums that share one factor into quantized values.
  ///
  /// Both buffers have room for `count` rounded up to `scaleStep`.
  @unsafe
  package func scaleAll(
    _ finish: ByteFinish, sums: UnsafeRawPointer, count: Int, to values: UnsafeMutableRawPointer
  ) {
    guard unsafe finish.form == .fast else {
      for index in 0..<count {
        unsafe finishExactly(
          finish, sums + index &* 4, count: 1, firstColumn: 0, to: values + index)
      }
      return
    }
    let quad = 4 &* layout.panelWidth / 2
    unsafe scale(
      ByteScaleTask(
        finish: finish, column: 0, sums: sums, values: values,
        quadCount: (count &+ quad &- 1) / quad,
        order: .one))
  }
}
