// SPDX-License-Identifier: Apache-2.0

/// What becomes of the bytes of a window's pixels.
@usableFromInline
protocol BytePoolSteps: PoolSteps where Vector == Level.Vector {
  /// The instruction-set level.
  associatedtype Level: ByteLaneInstructions
}

extension BytePoolSteps {
  @_alwaysEmitIntoClient
  @inline(__always)
  static var byteCount: Int { Level.byteCount }

  @_alwaysEmitIntoClient
  @inline(__always)
  func load(_ pointer: UnsafeRawPointer) -> Level.Vector { unsafe Level.load(pointer) }

  @_alwaysEmitIntoClient
  @inline(__always)
  func loadPrefix(_ pointer: UnsafeRawPointer, byteCount: Int) -> Level.Vector {
    unsafe Level.loadPrefix(pointer, count: byteCount)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  func storePrefix(_ result: Level.Vector, to pointer: UnsafeMutableRawPointer, byteCount: Int) {
    unsafe Level.storePrefix(result, to: pointer, count: byteCount)
  }
}
