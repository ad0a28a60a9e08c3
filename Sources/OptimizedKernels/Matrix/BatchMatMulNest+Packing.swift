// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension FullyConnectedNest {
  /// The product as one of matrices, the right one stored column by column; nil where there is no
  /// room for it.
  var matrices: BatchMatMulNest? {
    guard let left = try? Shape([batchCount, inputCount]),
      let right = try? Shape([outputDepth, inputCount])
    else { return nil }
    return try? BatchMatMulNest(left, right, transposesLeft: false, transposesRight: true)
  }
}

extension BatchMatMulNest {
  /// Whether left matrices are stored column by column, which a single row is not.
  var storesLeftColumns: Bool { transposesLeft && rowCount > 1 }

  /// What the packed form of the right matrices depends on besides the microkernels and constants.
  var parameters: [Int] { [depth, columnCount, transposesRight ? 1 : 0] }

  /// The right matrix `index` of int8 quantized values, packed; `first` is the first matrix' first
  /// quantized value.
  @unsafe
  func packedRight(
    _ index: Int, from first: UnsafePointer<UInt8>, zeroPoint: Int32,
    activationZeroPoint: Int32, _ set: MicrokernelSet, _ allocate: AlignedMemory.Allocation
  ) -> PackedByteMatrix {
    unsafe PackedByteMatrix(
      ByteMatrixSource(
        weights: first + index * depth * columnCount, isSigned: true, zeroPoint: zeroPoint,
        columnStride: transposesRight ? depth : 1, depthStride: transposesRight ? 1 : columnCount,
        columnCount: columnCount, depth: depth, activationZeroPoint: activationZeroPoint),
      set.byte.layout, allocate: allocate)
  }
}
