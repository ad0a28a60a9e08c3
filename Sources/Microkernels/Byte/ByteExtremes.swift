// SPDX-License-Identifier: Apache-2.0

/// The greater, or the lesser, quantized value of each pair of a run.
@_alwaysEmitIntoClient
@inline(__always)
package func chooseBytes<Level: ByteLaneInstructions>(
  _ row: PlainRow, isMaximum: Bool, isSigned: Bool, _ level: Level.Type
) {
  if isMaximum {
    unsafe chooseBytes(row, isSigned: isSigned, level) { left, right in
      Level.clampBytes(left, right, Level.broadcast(byte: 0x7F))
    }
  } else {
    unsafe chooseBytes(row, isSigned: isSigned, level) { left, right in
      Level.clampBytes(left, Level.broadcast(byte: 0x80), right)
    }
  }
}

@_alwaysEmitIntoClient
@inline(__always)
func chooseBytes<Level: ByteLaneInstructions>(
  _ row: PlainRow, isSigned: Bool, _ level: Level.Type,
  _ choose: (Level.Vector, Level.Vector) -> Level.Vector
) {
  // Unsigned quantized values are compared 128 lower.
  let flip = Level.broadcast(byte: isSigned ? 0 : 0x80)
  unsafe computeRow(row, level) { left, right in
    Level.flip(choose(Level.flip(left, flip), Level.flip(right, flip)), flip)
  }
}
