// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import CAMX
  internal import Microkernels
  internal import _Builtin_intrinsics.intel

  /// AMX, whose registers the instructions name.
  extension TilePrimitives {
    @inline(__always)
    static func registers(_ shape: TileShape) {
      // Intel's manual, volume 1, chapter 18: the palette; bytes of a row in 16 bits each; rows.
      var configuration = SIMD64<UInt8>(repeating: 0)
      configuration[0] = 1
      // Registers with rows of no bytes are refused; one word is for those that are not used.
      let lastWords = UInt8(truncatingIfNeeded: max(shape.lastWords, 1))
      for register in 0..<8 {
        configuration[16 &+ register &* 2] = register == 6 ? lastWords &* 4 : 64
        configuration[48 &+ register] =
          switch register {
          case 5: 16
          case 7: lastWords
          default: UInt8(truncatingIfNeeded: shape.rows)
          }
      }
      unsafe withUnsafePointer(to: configuration) { unsafe _tile_loadconfig($0) }
    }

    @inline(__always)
    static func loadSums(
      _: inout Void, _ index: Int, _ rows: UnsafeRawPointer, stride: Int
    ) {
      unsafe loadTileSums(Int32(truncatingIfNeeded: index), rows, stride)
    }

    @inline(__always)
    static func loadActivations(
      _: inout Void, _ rows: UnsafeRawPointer, stride: Int, areLast: Bool
    ) {
      if areLast {
        unsafe loadLastTileActivations(rows, stride)
      } else {
        unsafe loadTileActivations(rows, stride)
      }
    }

    @inline(__always)
    static func loadWeights(
      _: inout Void, _ rows: UnsafeRawPointer, stride: Int, areLast: Bool
    ) {
      if areLast {
        unsafe loadLastTileWeights(rows, stride)
      } else {
        unsafe loadTileWeights(rows, stride)
      }
    }

    @inline(__always)
    static func addProducts(_: inout Void, _ index: Int, areLast: Bool) {
      if areLast {
        addLastTileProducts(Int32(truncatingIfNeeded: index))
      } else {
        addTileProducts(Int32(truncatingIfNeeded: index))
      }
    }

    @inline(__always)
    static func storeSums(
      _: inout Void, _ index: Int, _ rows: UnsafeMutableRawPointer, stride: Int
    ) {
      unsafe storeTileSums(Int32(truncatingIfNeeded: index), rows, stride)
    }

    @inline(__always)
    static func release(_: inout Void) { _tile_release() }
  }
#endif
