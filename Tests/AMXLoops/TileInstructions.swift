// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels

  /// The registers' shape, and their rows as 32-bit words: of four registers of sums, then of
  /// activations and of weights, then of those at the end of a depth; 256 words of each.
  ///
  /// A tuple without arrays: their code would be weak symbols, which a processor without AVX-512 might
  /// meet.
  typealias TileMemory = (shape: TileShape, words: InlineArray<2048, Int32>)

  /// What AMX computes, in loops.
  extension TilePrimitives where Registers == TileMemory {
    @inline(__always)
    static func registers(_ shape: TileShape) -> TileMemory {
      (shape: shape, words: InlineArray(repeating: 0))
    }

    @inline(__always)
    static func loadSums(
      _ registers: inout TileMemory, _ index: Int, _ rows: UnsafeRawPointer, stride: Int
    ) {
      unsafe load(&registers, index, rows, stride, rowCount: registers.shape.rows, width: 16)
    }

    @inline(__always)
    static func loadActivations(
      _ registers: inout TileMemory, _ rows: UnsafeRawPointer, stride: Int, areLast: Bool
    ) {
      let shape = registers.shape
      unsafe load(
        &registers, areLast ? 6 : 4, rows, stride, rowCount: shape.rows,
        width: areLast ? shape.lastWords : 16)
    }

    @inline(__always)
    static func loadWeights(
      _ registers: inout TileMemory, _ rows: UnsafeRawPointer, stride: Int, areLast: Bool
    ) {
      let rowCount = areLast ? registers.shape.lastWords : 16
      unsafe load(&registers, areLast ? 7 : 5, rows, stride, rowCount: rowCount, width: 16)
    }

    @inline(__always)
    private static func load(
      _ registers: inout TileMemory, _ register: Int, _ rows: UnsafeRawPointer, _ stride: Int,
      rowCount: Int, width: Int
    ) {
      for row in 0..<rowCount {
        for word in 0..<width {
          registers.words[register &* 256 &+ row &* 16 &+ word] =
            unsafe rows.loadUnaligned(fromByteOffset: row &* stride &+ word &* 4, as: Int32.self)
        }
      }
    }

    @inline(__always)
    static func addProducts(_ registers: inout TileMemory, _ index: Int, areLast: Bool) {
      let left = areLast ? 6 * 256 : 4 * 256
      for row in 0..<registers.shape.rows {
        for column in 0..<16 {
          var sum = registers.words[index &* 256 &+ row &* 16 &+ column]
          for word in 0..<(areLast ? registers.shape.lastWords : 16) {
            let activations = registers.words[left &+ row &* 16 &+ word]
            let weights = registers.words[left &+ 256 &+ word &* 16 &+ column]
            sum &+= dot(activations, weights)
          }
          registers.words[index &* 256 &+ row &* 16 &+ column] = sum
        }
      }
    }

    /// The products of four unsigned bytes and four signed ones, in all.
    @inline(__always)
    private static func dot(_ activations: Int32, _ weights: Int32) -> Int32 {
      var sum: Int32 = 0
      var shift: Int32 = 0
      while shift < 32 {
        let weight = Int32(Int8(truncatingIfNeeded: weights &>> shift))
        sum &+= (activations &>> shift & 0xFF) &* weight
        shift &+= 8
      }
      return sum
    }

    @inline(__always)
    static func storeSums(
      _ registers: inout TileMemory, _ index: Int, _ rows: UnsafeMutableRawPointer, stride: Int
    ) {
      for row in 0..<registers.shape.rows {
        for word in 0..<16 {
          unsafe rows.storeBytes(
            of: registers.words[index &* 256 &+ row &* 16 &+ word],
            toByteOffset: row &* stride &+ word &* 4, as: Int32.self)
        }
      }
    }

    @inline(__always)
    static func release(_ registers: inout TileMemory) {}
  }
#endif
