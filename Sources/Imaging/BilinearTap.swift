// SPDX-License-Identifier: Apache-2.0

/// The two input pixels that an output pixel looks at in one direction.
package struct BilinearTap {
  package let lower: Int
  package let upper: Int
  /// The weight of `upper`; that of `lower` is the rest to 1.
  package let fraction: Float

  /// The taps of pixels whose middles are those of an image that is resized.
  package static func taps(from inputSize: Int, to outputSize: Int) -> [BilinearTap] {
    let scale = Float(inputSize) / Float(outputSize)
    return (0..<outputSize).map { index in
      BilinearTap(at: (Float(index) + 0.5) * scale - 0.5, inputSize: inputSize)
    }
  }

  /// A number between those of the two pixels.
  @inline(__always)
  package func mix(_ lower: Float, _ upper: Float) -> Float { lower + (upper - lower) * fraction }

  /// The taps around a location, 0 being the middle of the first pixel; locations outside are
  /// those of the nearest edge.
  init(at location: Float, inputSize: Int) {
    let floor = location.rounded(.down)
    // Far outside, the fraction decides between two taps of the same pixel.
    let lower = Int(min(max(floor, -1), Float(inputSize)))
    self.lower = min(max(lower, 0), inputSize - 1)
    upper = min(max(lower + 1, 0), inputSize - 1)
    fraction = location - floor
  }
}

/// Two rows of numbers that have been mixed with their right neighbors, and what lies between them.
struct MixedLines {
  /// The numbers between both rows.
  private(set) var mixed: [Float]
  private var upper: (row: Int?, values: [Float])
  private var lower: (row: Int?, values: [Float])

  /// Rows of so many numbers.
  init(count: Int) {
    mixed = [Float](repeating: 0, count: count)
    upper = (nil, mixed)
    lower = (nil, mixed)
  }

  /// Mixes the two rows of a tap, unless they are there: neighboring rows of an enlarged image have
  /// the same two.
  mutating func move(
    to tap: BilinearTap, _ fill: (_ row: Int, _ line: inout MutableSpan<Float>) -> Void
  ) {
    if lower.row == tap.lower { swap(&upper, &lower) }
    if upper.row != tap.lower {
      upper.row = tap.lower
      var line = upper.values.mutableSpan
      fill(tap.lower, &line)
    }
    if lower.row != tap.upper {
      lower.row = tap.upper
      var line = lower.values.mutableSpan
      fill(tap.upper, &line)
    }
  }

  /// Mixes both rows by the tap they are of.
  mutating func mix(_ tap: BilinearTap) {
    // Pieces of a known length need no checks inside.
    let length = 16
    let (upper, lower) = (self.upper.values, self.lower.values)
    let (above, below) = (upper.span, lower.span)
    var target = mixed.mutableSpan
    var start = 0
    while start &+ length <= target.count {
      let top = above.extracting(start..<start &+ length)
      let bottom = below.extracting(start..<start &+ length)
      var piece = target._mutatingExtracting(start..<start &+ length)
      for index in 0..<length { piece[index] = tap.mix(top[index], bottom[index]) }
      start &+= length
    }
    for index in start..<target.count { target[index] = tap.mix(above[index], below[index]) }
  }
}
