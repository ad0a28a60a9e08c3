// SPDX-License-Identifier: Apache-2.0

extension ByteDepthwiseColumns {
  /// A part whose sums become quantized values before they leave registers: windows of three rows,
  /// activations that need no flip, rounded products, and a whole vector of channels.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func runScaled(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, inSteps: Bool)
  {
    if unsafe task.window.step == 1 {
      unsafe runScaledDense(task, part, inSteps: inSteps)
    } else {
      unsafe runScaledStrided(task, part, inSteps: inSteps)
    }
  }

  /// A stride of 1, two outputs per round: what is the newer output for one column is the older one
  /// for the next, in the same registers.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func runScaledDense(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, inSteps: Bool) {
    var rows = unsafe Rows3(task, part)
    let bias = unsafe quad(part, 0)
    let weights = InlineArray<3, Quad> { unsafe quad(part, $0 &+ 1) }
    let finish = unsafe ByteQuadFinish<Level>(task.finish, column: part.position)
    let pitch = unsafe task.outputStride
    var output = unsafe task.output + (part.first &* pitch &+ part.channel)
    var pixels = unsafe rows.next(part.channel)
    var older = add(bias, pixels, weights[0])
    unsafe pixels = rows.next(part.channel)
    older = add(older, pixels, weights[1])
    var newer = add(bias, pixels, weights[0])
    var remaining = unsafe part.count
    while remaining > 1 {
      unsafe pixels = rows.next(part.channel)
      unsafe finish.store(add(older, pixels, weights[2]), to: output, inSteps: inSteps)
      newer = add(newer, pixels, weights[1])
      older = add(bias, pixels, weights[0])
      unsafe pixels = rows.next(part.channel)
      unsafe finish.store(add(newer, pixels, weights[2]), to: output + pitch, inSteps: inSteps)
      older = add(older, pixels, weights[1])
      newer = add(bias, pixels, weights[0])
      unsafe output += 2 &* pitch
      remaining &-= 2
    }
    if remaining > 0 {
      unsafe pixels = rows.next(part.channel)
      unsafe finish.store(add(older, pixels, weights[2]), to: output, inSteps: inSteps)
    }
  }

  /// A stride of 2.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func runScaledStrided(
    _ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, inSteps: Bool
  ) {
    var rows = unsafe Rows3(task, part)
    let bias = unsafe quad(part, 0)
    let weights = InlineArray<3, Quad> { unsafe quad(part, $0 &+ 1) }
    let finish = unsafe ByteQuadFinish<Level>(task.finish, column: part.position)
    let pitch = unsafe task.outputStride
    var output = unsafe task.output + (part.first &* pitch &+ part.channel)
    var pixels = unsafe rows.next(part.channel)
    var sums = add(bias, pixels, weights[0])
    var remaining = unsafe part.count
    while remaining > 0 {
      unsafe pixels = rows.next(part.channel)
      sums = add(sums, pixels, weights[1])
      unsafe pixels = rows.next(part.channel)
      unsafe finish.store(add(sums, pixels, weights[2]), to: output, inSteps: inSteps)
      sums = add(bias, pixels, weights[0])
      unsafe output += pitch
      remaining &-= 1
    }
  }

  /// The pointers of three rows of pixels.
  @unsafe
  @usableFromInline
  struct Rows3 {
    @usableFromInline var first: UnsafePointer<UnsafeRawPointer>
    @usableFromInline var second: UnsafePointer<UnsafeRawPointer>
    @usableFromInline var third: UnsafePointer<UnsafeRawPointer>

    @_alwaysEmitIntoClient
    @inline(__always)
    init(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
      let window = unsafe task.window
      let pixels = unsafe task.pixels + part.first &* window.step
      unsafe first = pixels + window.rowOffsets[0]
      unsafe second = pixels + window.rowOffsets[1]
      unsafe third = pixels + window.rowOffsets[2]
    }

    /// The pixels of the next column, interleaved; in place of a fourth row, whose weights are zero,
    /// the third.
    @_alwaysEmitIntoClient
    @inline(__always)
    mutating func next(_ channel: Int) -> Quad {
      let upper = unsafe Level.load(first.pointee + channel)
      let middle = unsafe Level.load(second.pointee + channel)
      let lower = unsafe Level.load(third.pointee + channel)
      unsafe first += 1
      unsafe second += 1
      unsafe third += 1
      return ByteDepthwiseTile<Level, 1>.interleaved([upper, middle, lower, lower])
    }
  }
}

/// What the fast form of `ByteFinish` with two roundings needs for four interleaved vectors of columns.
@usableFromInline
struct ByteQuadFinish<Level: ByteInstructions> {
  @usableFromInline let scalings: InlineArray<4, Level.Scaling>
  @usableFromInline let limits: ByteLimits<Level>

  @_alwaysEmitIntoClient
  @inline(__always)
  init(_ finish: ByteFinish, column: Int) {
    let table = unsafe finish.table + column &* 4
    let planeStride = unsafe finish.planeStride
    scalings = InlineArray { vector in
      unsafe Level.scaling(table + vector &* Level.byteCount, planeStride: planeStride)
    }
    limits = unsafe ByteLimits<Level>(finish)
  }

  /// Writes the quantized values of four vectors of sums.
  @_alwaysEmitIntoClient
  @inline(__always)
  func store(
    _ sums: InlineArray<4, Level.Vector>, to output: UnsafeMutableRawPointer, inSteps: Bool
  ) {
    // Closures would be left as functions here.
    let bytes = Level.narrowInterleaved(
      Level.scaleRounding(sums[0], scalings[0], inSteps: inSteps),
      Level.scaleRounding(sums[1], scalings[1], inSteps: inSteps),
      Level.scaleRounding(sums[2], scalings[2], inSteps: inSteps),
      Level.scaleRounding(sums[3], scalings[3], inSteps: inSteps))
    unsafe output.storeBytes(of: limits.values(bytes), as: Level.Vector.self)
  }
}
