// SPDX-License-Identifier: Apache-2.0

import Microkernels
import OptimizedKernels

/// A convolution as a product with rows found through pointers, run block by block.
struct ProductBenchmark {
  let layer: ProductLayer
  let set: MicrokernelSet

  /// Columns whose weights stay in the second-level cache while the rows pass by.
  private func columnsAtOnce(panelWidth: Int, panelByteCount: Int) -> Int {
    max(1, 384 * 1024 / panelByteCount) * panelWidth
  }

  /// Seconds of the layer in float.
  func float() -> Double {
    let layout = set.float.layout
    let input = AlignedMemory(zeroed: layer.inputSide * layer.inputSide * layer.channels * 4)
    let weights = AlignedMemory(zeroed: layer.depth * layer.columns * 4)
    let output = AlignedMemory(zeroed: layer.rows * layer.columns * 4)
    let depth = layer.depth
    let taps = layer.tapCount
    let packed = unsafe PackedFloatMatrix(
      FloatMatrixSource(
        weights: weights.address.assumingMemoryBound(to: Float.self), columnStride: depth,
        depthStride: 1, columnCount: layer.columns, depth: depth), layout)
    let scratch = AlignedMemory(zeroed: layout.scratchByteCount(depth: depth))
    let rows = unsafe layer.starts.map { start in
      unsafe UnsafePointer(input.address.assumingMemoryBound(to: Float.self) + start)
    }
    let copies = layout.prefersCopies(
      depth: depth / taps, tapCount: taps, columnCount: layer.columns)
    let step = columnsAtOnce(
      panelWidth: layout.panelWidth, panelByteCount: layout.panelByteCount(depth: depth))
    return unsafe rows.withUnsafeBufferPointer { rows in
      guard let base = rows.baseAddress else { return 0 }
      return BestTime.thorough.seconds {
        for column in stride(from: 0, to: layer.columns, by: step) {
          unsafe set.float.gemm(
            FloatGemmTask(
              rows: base, rowPitch: layer.rows, rowCount: layer.rows, tapCount: taps,
              depth: depth / taps, weights: packed.panel(from: column),
              columnCount: min(step, layer.columns - column),
              output: output.address.assumingMemoryBound(to: Float.self) + column,
              outputStride: layer.columns, lowest: 0, highest: 6,
              scratch: copies ? scratch.address : nil))
        }
      }
    }
  }

  /// Seconds of the layer in 8-bit integers.
  func byte() -> Double {
    let layout = set.byte.layout
    let input = AlignedMemory(zeroed: layer.inputSide * layer.inputSide * layer.channels)
    let weights = AlignedMemory(zeroed: layer.depth * layer.columns)
    let output = AlignedMemory(zeroed: layer.rows * layer.columns)
    let depth = layer.depth
    let taps = layer.tapCount
    let packed = unsafe PackedByteMatrix(
      ByteMatrixSource(
        weights: weights.address.assumingMemoryBound(to: UInt8.self), isSigned: true,
        zeroPoint: 0, columnStride: depth, depthStride: 1, columnCount: layer.columns,
        depth: depth, activationZeroPoint: 100), layout)
    let scaling = ByteScaling(
      factors: [ByteFactor(significand: 0x5000_0000, exponent: -7)], roundsTwice: true,
      positions: layout.positions(columnCount: layer.columns), sumBound: packed.sumBound,
      output: ByteOutput(zeroPoint: -128, lowest: -128, highest: 127, isSigned: true))
    let scratch = AlignedMemory(zeroed: layout.scratchByteCount(depth: depth))
    let rows = unsafe layer.starts.map { unsafe UnsafeRawPointer(input.address + $0) }
    let step = columnsAtOnce(
      panelWidth: layout.panelWidth, panelByteCount: layout.panelByteCount(depth: depth))
    return unsafe rows.withUnsafeBufferPointer { rows in
      guard let base = rows.baseAddress else { return 0 }
      return BestTime.thorough.seconds {
        for column in stride(from: 0, to: layer.columns, by: step) {
          unsafe set.byte.gemm(
            ByteGemmTask(
              rows: base, rowPitch: layer.rows, rowCount: layer.rows, tapCount: taps,
              depth: depth / taps, activationFlip: 0x80, weights: packed.panels(from: column),
              columnCount: min(step, layer.columns - column),
              finish: scaling.finish(from: column), output: output.address + column,
              outputStride: layer.columns, scratch: scratch.address))
        }
      }
    }
  }
}
