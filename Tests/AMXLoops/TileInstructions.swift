// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels

  /// What AMX computes, on rows of bytes in memory.
  extension TilePrimitives {
    static func registers(_ shape: TileShape) -> TileMemory { TileMemory(shape) }

    static func loadSums(
      _ registers: inout TileMemory, _ index: Int, _ rows: UnsafeRawPointer, stride: Int
    ) {
      unsafe registers.sums[index].load(rows, stride)
    }

    static func loadActivations(
      _ registers: inout TileMemory, _ rows: UnsafeRawPointer, stride: Int, areLast: Bool
    ) {
      unsafe registers.activations[areLast ? 1 : 0].load(rows, stride)
    }

    static func loadWeights(
      _ registers: inout TileMemory, _ rows: UnsafeRawPointer, stride: Int, areLast: Bool
    ) {
      unsafe registers.weights[areLast ? 1 : 0].load(rows, stride)
    }

    static func addProducts(_ registers: inout TileMemory, _ index: Int, areLast: Bool) {
      registers.addProducts(to: index, ofPart: areLast ? 1 : 0)
    }

    static func storeSums(
      _ registers: inout TileMemory, _ index: Int, _ rows: UnsafeMutableRawPointer, stride: Int
    ) {
      unsafe registers.sums[index].store(rows, stride)
    }

    static func release(_ registers: inout TileMemory) { registers.sums.removeAll() }
  }

  /// Tile registers: of sums, and two of activations and of weights.
  struct TileMemory {
    var sums: [TileRegister]
    var activations: [TileRegister]
    var weights: [TileRegister]

    init(_ shape: TileShape) {
      let (rows, side) = (shape.rows, TileShape.side)
      sums = Array(repeating: TileRegister(rowCount: rows, wordCount: side), count: 4)
      activations = [side, shape.lastWords].map { TileRegister(rowCount: rows, wordCount: $0) }
      weights = [side, shape.lastWords].map { TileRegister(rowCount: $0, wordCount: side) }
    }

    mutating func addProducts(to index: Int, ofPart part: Int) {
      let (left, right) = (activations[part], weights[part])
      for row in 0..<left.rowCount {
        for column in 0..<right.wordCount {
          var sum = sums[index].words[row * right.wordCount + column]
          for word in 0..<left.wordCount {
            let activations = left.words[row * left.wordCount + word]
            let weights = right.words[word * right.wordCount + column]
            for shift in stride(from: 0 as Int32, to: 32, by: 8) {
              let activation = Int32(UInt8(truncatingIfNeeded: activations >> shift))
              sum &+= activation * Int32(Int8(truncatingIfNeeded: weights >> shift))
            }
          }
          sums[index].words[row * right.wordCount + column] = sum
        }
      }
    }
  }

  /// Rows of 32-bit words.
  struct TileRegister {
    let rowCount: Int
    let wordCount: Int
    var words: [Int32]

    init(rowCount: Int, wordCount: Int) {
      self.rowCount = rowCount
      self.wordCount = wordCount
      words = Array(repeating: 0, count: rowCount * wordCount)
    }

    mutating func load(_ rows: UnsafeRawPointer, _ stride: Int) {
      for index in words.indices {
        let offset = index / wordCount * stride + index % wordCount * 4
        words[index] = unsafe rows.loadUnaligned(fromByteOffset: offset, as: Int32.self)
      }
    }

    func store(_ rows: UnsafeMutableRawPointer, _ stride: Int) {
      for index in words.indices {
        let offset = index / wordCount * stride + index % wordCount * 4
        unsafe rows.storeBytes(of: words[index], toByteOffset: offset, as: Int32.self)
      }
    }
  }
#endif
