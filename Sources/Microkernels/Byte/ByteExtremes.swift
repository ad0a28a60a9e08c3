// SPDX-License-Identifier: Apache-2.0

/// The greater, or the lesser, quantized value of each pair of a run.
@inlinable
@inline(__always)
package func chooseBytes<Level: ByteLaneInstructions>(
  _ row: ByteBinaryRow, isMaximum: Bool, isSigned: Bool, _ level: Level.Type
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

@inlinable
@inline(__always)
func chooseBytes<Level: ByteLaneInstructions>(
  _ row: ByteBinaryRow, isSigned: Bool, _: Level.Type,
  _ choose: (Level.Vector, Level.Vector) -> Level.Vector
) {
  // Unsigned quantized values are compared 128 lower.
  let flip = Level.broadcast(byte: isSigned ? 0 : 0x80)
  let step = Level.byteCount
  var start = 0
  while unsafe start &+ step <= row.count {
    let left = unsafe Level.flip(Level.load(row.left + start), flip)
    let right = unsafe Level.flip(Level.load(row.right + start), flip)
    let chosen = Level.flip(choose(left, right), flip)
    unsafe row.output.storeBytes(of: chosen, toByteOffset: start, as: Level.Vector.self)
    start &+= step
  }
  let rest = unsafe row.count &- start
  guard rest > 0 else { return }
  let left = unsafe Level.flip(Level.loadPrefix(row.left + start, count: rest), flip)
  let right = unsafe Level.flip(Level.loadPrefix(row.right + start, count: rest), flip)
  let chosen = Level.flip(choose(left, right), flip)
  unsafe Level.storePrefix(chosen, to: row.output + start, count: rest)
}
