// SPDX-License-Identifier: Apache-2.0

// Loops without branches, which become vectors where they are instantiated.

/// Computes a run of a gate.
@_alwaysEmitIntoClient
@inline(__always)
package func computeGate(_ task: CellGateTask) {
  let (input, recurrent) = unsafe (WordScaling(task.input), WordScaling(task.recurrent))
  if unsafe task.input.roundsTwice {
    for cell in unsafe 0..<task.count {
      let value = unsafe clampedToWord(input.twice(task.inputSums[cell]))
      let sum = unsafe recurrent.twice(task.recurrentSums[cell]) &+ value
      unsafe task.output[cell] = Int16(truncatingIfNeeded: clampedToWord(sum))
    }
  } else {
    for cell in unsafe 0..<task.count {
      let value = unsafe clampedToWord(input.once(task.inputSums[cell]))
      let sum = unsafe recurrent.once(task.recurrentSums[cell]) &+ value
      unsafe task.output[cell] = Int16(truncatingIfNeeded: clampedToWord(sum))
    }
  }
}

/// Updates a run of states.
@_alwaysEmitIntoClient
@inline(__always)
package func updateStates(_ task: CellStateTask) {
  let clip: Int32 = unsafe task.clip > 0 ? Int32(task.clip) : 0x8000
  let (lowest, highest) = (0 &- clip, min(clip, 0x7FFF))
  let shift = unsafe task.shift
  // Without an input gate, what the forget gate leaves.
  let gate = unsafe task.inputGate ?? task.forgetGate
  let sign: Int32 = unsafe task.inputGate == nil ? -1 : 1
  let start: Int32 = unsafe task.inputGate == nil ? 0x7FFF : 0
  for cell in unsafe 0..<task.count {
    let share = unsafe Int32(
      Int16(truncatingIfNeeded: start &+ sign &* Int32(gate[cell])))
    let kept = unsafe quotient(
      Int32(task.forgetGate[cell]) &* Int32(task.states[cell]), by: 15)
    let added = unsafe quotient(share &* Int32(task.cellGate[cell]), by: shift)
    let state = clampedToWord(kept &+ added)
    unsafe task.states[cell] = Int16(truncatingIfNeeded: max(lowest, min(highest, state)))
  }
}

/// Computes a run of results.
@_alwaysEmitIntoClient
@inline(__always)
package func computeResults(_ task: CellResultTask) {
  let factor = unsafe WordScaling(task.factor)
  let zeroPoint = unsafe task.zeroPoint
  if unsafe task.factor.roundsTwice {
    for cell in unsafe 0..<task.count {
      let product = unsafe Int32(task.outputGate[cell]) &* Int32(task.states[cell])
      unsafe task.output[cell] = clampedToByte(factor.twice(product) &+ zeroPoint)
    }
  } else {
    for cell in unsafe 0..<task.count {
      let product = unsafe Int32(task.outputGate[cell]) &* Int32(task.states[cell])
      unsafe task.output[cell] = clampedToByte(factor.once(product) &+ zeroPoint)
    }
  }
}

@_alwaysEmitIntoClient
@inline(__always)
func clampedToWord(_ value: Int32) -> Int32 { min(max(value, -0x8000), 0x7FFF) }

@_alwaysEmitIntoClient
@inline(__always)
func clampedToByte(_ value: Int32) -> Int8 {
  Int8(truncatingIfNeeded: min(max(value, -128), 127))
}

/// `value / 2^shift`, rounded half away from zero and cut to 16 bits.
@_alwaysEmitIntoClient
@inline(__always)
func quotient(_ value: Int32, by shift: Int32) -> Int32 {
  let mask: Int32 = 1 &<< shift &- 1
  let threshold = (mask &>> 1) &- (value &>> 31)
  let rounded = (value &>> shift) &+ (value & mask > threshold ? 1 : 0)
  return Int32(Int16(truncatingIfNeeded: rounded))
}
