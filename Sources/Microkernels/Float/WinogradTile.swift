// SPDX-License-Identifier: Apache-2.0

/// The two transforms of minimal filtering along one axis: `inputs` numbers to as many, and those
/// to `outputs`, two fewer.
///
/// For two outputs they are those of Lavin and Gray. For four, polynomials are evaluated at 0, ±a,
/// ±2a and ∞ with a = 11/16 instead of the 0, ±1, ±2 and ∞ of the paper: near 1/√2 the powers of
/// the points differ least in size, and errors are a quarter as large. All constants are exact.
@usableFromInline
package enum WinogradAxis<Level: FloatInstructions, let inputs: Int, let outputs: Int> {
  @usableFromInline package typealias Inputs = InlineArray<inputs, Level.Vector>
  @usableFromInline package typealias Outputs = InlineArray<outputs, Level.Vector>

  /// `sum + factor × x`.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func add(
    _ factor: Float, _ x: Level.Vector, to sum: Level.Vector
  ) -> Level.Vector {
    Level.multiplyAdd(sum, Level.broadcast(factor), x)
  }

  /// Bᵀ d.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func transformInputs(_ d: Inputs) -> Inputs {
    var v = d
    if inputs == 4 {
      v[0] = Level.subtract(d[0], d[2])
      v[1] = Level.add(d[1], d[2])
      v[2] = Level.subtract(d[2], d[1])
      v[3] = Level.subtract(d[1], d[3])
      return v
    }
    // The coefficients of x (x² − a²) (x² − b²) without one of its factors, b = 2a.
    let (a, b) = (WinogradPoints.a, WinogradPoints.b)
    let (sum, product) = (a * a + b * b, a * a * b * b)
    v[0] = add(product, d[0], to: add(-sum, d[2], to: d[4]))
    v[5] = add(product, d[1], to: add(-sum, d[3], to: d[5]))
    var (even, odd) = (add(-b * b, d[2], to: d[4]), add(-b * b, d[1], to: d[3]))
    v[1] = add(a, odd, to: even)
    v[2] = add(-a, odd, to: even)
    (even, odd) = (add(-a * a, d[2], to: d[4]), add(-a * a, d[1], to: d[3]))
    v[3] = add(b, odd, to: even)
    v[4] = add(-b, odd, to: even)
    return v
  }

  /// Aᵀ m.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func transformSums(_ m: Inputs) -> Outputs {
    var y = Outputs { m[$0] }
    if inputs == 4 {
      y[0] = Level.add(Level.add(m[0], m[1]), m[2])
      y[1] = Level.subtract(Level.subtract(m[1], m[2]), m[3])
      return y
    }
    let (a, b) = (WinogradPoints.a, WinogradPoints.b)
    let (evenA, oddA) = (Level.add(m[1], m[2]), Level.subtract(m[1], m[2]))
    let (evenB, oddB) = (Level.add(m[3], m[4]), Level.subtract(m[3], m[4]))
    y[0] = Level.add(m[0], Level.add(evenA, evenB))
    y[1] = add(b, oddB, to: Level.multiply(Level.broadcast(a), oddA))
    y[2] = add(b * b, evenB, to: Level.multiply(Level.broadcast(a * a), evenA))
    y[3] = add(b * b * b, oddB, to: add(a * a * a, oddA, to: m[5]))
    return y
  }
}

/// The positive points at which polynomials are evaluated for four outputs.
@usableFromInline
package enum WinogradPoints {
  /// The smaller one.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static var a: Float { 0.6875 }

  /// The greater one.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static var b: Float { 2 * a }
}

/// The transforms of a tile: those of `WinogradAxis` along both axes.
@usableFromInline
package enum WinogradTile<Level: FloatInstructions, let inputs: Int, let outputs: Int> {
  @usableFromInline package typealias Axis = WinogradAxis<Level, inputs, outputs>

  /// Transforms a tile of the input.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func run(_ task: WinogradInputTask) {
    var channel = 0
    while unsafe channel < task.depth {
      let rest = unsafe task.depth &- channel
      var pixels = unsafe task.pixels
      // Lines by columns, first along each line.
      var tile = InlineArray<inputs, Axis.Inputs> { _ in
        let line = Axis.Inputs { column in
          unsafe RunOperand.load(pixels[column], channel, count: rest, Level.self)
        }
        unsafe pixels += inputs
        return Axis.transformInputs(line)
      }
      for column in 0..<inputs {
        let values = Axis.transformInputs(Axis.Inputs { tile[$0][column] })
        for row in 0..<inputs { tile[row][column] = values[row] }
      }
      var position = unsafe task.output + channel &* 4
      for row in 0..<inputs {
        for column in 0..<inputs {
          unsafe position.storeBytes(of: tile[row][column], as: Level.Vector.self)
          unsafe position += task.matrixStride
        }
      }
      channel &+= Level.laneCount
    }
  }

  /// Transforms a tile of sums.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func run(_ task: WinogradOutputTask) {
    let lowest = unsafe Level.broadcast(task.lowest)
    let highest = unsafe Level.broadcast(task.highest)
    var channel = 0
    while unsafe channel < task.depth {
      var position = unsafe task.input + channel &* 4
      let lines = InlineArray<inputs, Axis.Outputs> { _ in
        let line = Axis.Inputs { _ in
          let value = unsafe position.loadUnaligned(as: Level.Vector.self)
          unsafe position += task.matrixStride
          return value
        }
        return Axis.transformSums(line)
      }
      let bias = unsafe task.bias.loadUnaligned(
        fromByteOffset: channel &* 4, as: Level.Vector.self)
      let lanes = unsafe task.depth &- channel
      for column in 0..<outputs {
        if unsafe column >= task.columnCount { break }
        let values = Axis.transformSums(Axis.Inputs { lines[$0][column] })
        var target = unsafe task.output + (column &* task.columnStride &+ channel &* 4)
        for row in 0..<outputs {
          if unsafe row >= task.rowCount { break }
          let value = Level.clamp(Level.add(values[row], bias), lowest, highest)
          unsafe FloatLineOutput.store(value, to: target, count: lanes, Level.self)
          unsafe target += task.rowStride
        }
      }
      channel &+= Level.laneCount
    }
  }
}
