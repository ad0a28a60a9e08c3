// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// The class with the highest score of each box.
@unsafe
struct BestScores {
  /// The scores, quantized values or floats.
  let scores: UnsafeRawPointer
  /// What quantized values stand for; nil for floats.
  let affine: Affine?
  /// Scores of a box.
  let stride: Int
  /// Scores of a box that count: its last ones.
  let classCount: Int

  /// The first class of the highest score of a box, which is the least of numbers to NaN.
  func best(of box: Int) -> (category: Int, score: Float) {
    let start = unsafe box * stride + stride - classCount
    if let affine = unsafe affine {
      let row = unsafe (scores + start).assumingMemoryBound(to: UInt8.self)
      var highest: UInt8 = 0
      for index in unsafe 0..<classCount { highest = unsafe max(highest, row[index]) }
      var category = 0
      while unsafe row[category] != highest { category += 1 }
      return (category, (Float(highest) - Float(affine.zeroPoint)) * affine.scale)
    }
    let row = unsafe scores.assumingMemoryBound(to: Float.self) + start
    let highest = unsafe highest(row)
    var category = 0
    while unsafe category < classCount && row[category] != highest { category += 1 }
    // Where all are NaN, the first one.
    if unsafe category == classCount { category = 0 }
    return unsafe (category, row[category])
  }

  private func highest(_ row: UnsafePointer<Float>) -> Float {
    var lanes = SIMD8<Float>(repeating: -.infinity)
    var index = 0
    while unsafe index + 8 <= classCount {
      let values = unsafe UnsafeRawPointer(row + index).loadUnaligned(as: SIMD8<Float>.self)
      lanes.replace(with: values, where: values .> lanes)
      index += 8
    }
    var highest = lanes.max()
    while unsafe index < classCount {
      let value = unsafe row[index]
      if value > highest { highest = value }
      index += 1
    }
    return highest
  }
}
