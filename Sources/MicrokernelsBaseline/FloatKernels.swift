// SPDX-License-Identifier: Apache-2.0

internal import Microkernels

#if arch(x86_64)
  internal import _Builtin_intrinsics.intel
#endif

/// Four floats.
private enum FloatVectors: FloatInstructions {
  typealias Vector = SIMD4<Float>

  @inline(__always)
  static func broadcast(_ value: Float) -> Vector { Vector(repeating: value) }

  @inline(__always)
  static func multiplyAdd(_ sum: Vector, _ left: Vector, _ right: Vector) -> Vector {
    #if arch(x86_64)
      // Without FMA instructions the fused form is a library call per lane.
      sum + left * right
    #else
      sum.addingProduct(left, right)
    #endif
  }

  @inline(__always)
  static func clamp(_ value: Vector, _ lowest: Vector, _ highest: Vector) -> Vector {
    #if arch(x86_64)
      // Both return their second operand where one is NaN.
      _mm_min_ps(highest, _mm_max_ps(lowest, value))
    #else
      let raised = value.replacing(with: lowest, where: value .< lowest)
      return raised.replacing(with: highest, where: raised .> highest)
    #endif
  }

  @inline(__always)
  static func loadPrefix(_ pointer: UnsafeRawPointer, count: Int) -> Vector {
    var vector = Vector.zero
    for lane in 0..<count {
      vector[lane] = unsafe pointer.loadUnaligned(fromByteOffset: lane &* 4, as: Float.self)
    }
    return vector
  }

  @inline(__always)
  static func storePrefix(_ value: Vector, to pointer: UnsafeMutableRawPointer, count: Int) {
    for lane in 0..<count {
      unsafe pointer.storeBytes(of: value[lane], toByteOffset: lane &* 4, as: Float.self)
    }
  }
}

/// A tile of a float product, as wide as one or two vectors.
func floatTile(_ task: FloatTileTask, vectors: Int) {
  if vectors == 2 {
    unsafe fullFloatTile(task)
  } else {
    unsafe halfFloatTile(task)
  }
}

@inline(never)
func fullFloatTile(_ task: FloatTileTask) {
  unsafe floatTile(task, tileRows: 4, FloatTile<FloatVectors, 1, 2>.self)
}

@inline(never)
func halfFloatTile(_ task: FloatTileTask) {
  unsafe floatTile(task, tileRows: 4, FloatTile<FloatVectors, 1, 1>.self)
}

/// A part of a float depthwise convolution with any window.
func floatDepthwise(_ part: FloatDepthwisePart) {
  unsafe floatDepthwise(part, FloatVectors.self)
}

/// A part of a float depthwise convolution with three neighbouring columns and a stride of 1.
func floatDepthwiseThree(_ part: FloatDepthwisePart) {
  unsafe floatDepthwise(part, SharedColumns<3, 1, 6>.self, pairs: false, FloatVectors.self)
}

/// A part of a float depthwise convolution with five neighbouring columns and a stride of 1.
func floatDepthwiseFive(_ part: FloatDepthwisePart) {
  unsafe floatDepthwise(part, SharedColumns<5, 1, 8>.self, pairs: false, FloatVectors.self)
}

/// The limit of float arithmetic.
func floatPeak(_ rounds: Int) -> Float { floatPeak(rounds, FloatVectors.self) }
