// SPDX-License-Identifier: Apache-2.0

/// The sum of some floats.
///
/// Few are summed one after the other. From sixteen on there are sixteen sums, of every sixteenth
/// element, which are added up in pairs: additions that need not wait for each other, the same
/// whatever the vectors of the processor.
@inline(__always)
func pairedSum(of floats: UnsafePointer<Float>, count: Int) -> Float {
  typealias Lanes = SIMD16<Float>
  var (sum, start): (Float, Int) = (0, 0)
  if count >= Lanes.scalarCount {
    var lanes = Lanes.zero
    while start &+ Lanes.scalarCount <= count {
      lanes += unsafe UnsafeRawPointer(floats + start).loadUnaligned(as: Lanes.self)
      start &+= Lanes.scalarCount
    }
    let eight = lanes.lowHalf + lanes.highHalf
    let four = eight.lowHalf + eight.highHalf
    let two = four.lowHalf + four.highHalf
    sum = two[0] + two[1]
  }
  for index in start..<count { sum += unsafe floats[index] }
  return sum
}
