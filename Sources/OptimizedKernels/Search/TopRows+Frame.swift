// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension TopRows {
  /// Calls `body` with each row, and with where its results and their int32 indices go.
  @inline(__always)
  func forEachRow<Element: TensorElement>(
    of frame: borrowing TensorFrame, as _: Element.Type,
    _ body: (
      UnsafePointer<Element>, UnsafeMutablePointer<Element>, UnsafeMutablePointer<Int32>
    ) -> Void
  ) {
    guard count > 0, let address = unsafe frame.inputAddress(0) else { return }
    var row = unsafe address.assumingMemoryBound(to: Element.self)
    var elements = unsafe frame.outputAddress(0).assumingMemoryBound(to: Element.self)
    var indices = unsafe frame.outputAddress(1).assumingMemoryBound(to: Int32.self)
    let rowCount = frame.input(0, as: Element.self).count / max(rowLength, 1)
    for _ in 0..<rowCount {
      unsafe body(row, elements, indices)
      unsafe row += rowLength
      unsafe elements += count
      unsafe indices += count
    }
  }
}
