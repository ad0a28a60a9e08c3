// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Convolutions by minimal filtering against the reference kernel and against sums in Double.
@Suite struct OptimizedWinogradTests {
  /// What a result may be off by, in units of the last place of the number of terms.
  ///
  /// Operands are within ±1, so no sum is larger. Measured: 0.6 and 1.6 such units.
  private static func tolerance(_ size: WinogradTileSize, terms: Int) -> Float {
    Float(terms + 1) * Float.ulpOfOne * (size == .two ? 2 : 8)
  }

  @Test(arguments: WinogradTileSize.allCases, 1...70)
  func `any image and channels`(size: WinogradTileSize, depth: Int) throws {
    let problem = Self.problem(depth: depth)
    let expected: [Float] = try problem.result(.reference).values()
    let tolerance = Self.tolerance(size, terms: 9 * depth)
    for set in MicrokernelSet.tested {
      let kernels = KernelSet.minimalFiltering(size, for: set)
      let whole: [Float] = try problem.shared(kernels, workerCount: 1).values()
      #expect(whole.count == expected.count)
      let largest = zip(whole, expected).map { abs($0 - $1) }.max() ?? 0
      #expect(largest <= tolerance, "depth \(depth), \(set)")
      for workerCount in 2...4 {
        let split: [Float] = try problem.shared(kernels, workerCount: workerCount).values()
        #expect(split == whole, "depth \(depth), \(set), \(workerCount) workers")
      }
    }
  }

  /// A random problem whose images have sides of 1 to 9.
  private static func problem(depth: Int) -> OptimizedProblem {
    var random = SeededRandom(seed: depth)
    let filters = Int.random(in: 1...70, using: &random)
    let shape: Shape = [
      random.pick([1, 1, 2, 3]), Int.random(in: 1...9, using: &random),
      Int.random(in: 1...9, using: &random), depth,
    ]
    // Windows that span the width are no images of this kernel.
    var options = Conv2DOptions(shape[2] == 3 ? .same : random.pick([.same, .valid]))
    (options.strideHeight, options.strideWidth) = (1, 1)
    options.fusedActivation = random.pick([.none, .relu, .relu6, .reluN1To1])
    let operands = OptimizedOperands(
      .float, input: shape, filter: [filters, 3, 3, depth], channelAxis: 0, terms: 9 * depth,
      &random)
    return OptimizedProblem(
      seed: depth, code: .conv2D, options: options,
      inputs: [operands.input, operands.filter, operands.bias], output: operands.output,
      rounding: .double)
  }

  @Test(arguments: [64, 160])
  func `many tiles and channels are cut into blocks`(filters: Int) throws {
    var random = SeededRandom(seed: filters)
    let operands = OptimizedOperands(
      .float, input: [1, 41, 38, 64], filter: [filters, 3, 3, 64], channelAxis: 0,
      terms: 9 * 64, &random)
    var options = Conv2DOptions(.same)
    (options.strideHeight, options.strideWidth) = (1, 1)
    let problem = OptimizedProblem(
      seed: filters, code: .conv2D, options: options,
      inputs: [operands.input, operands.filter, operands.bias], output: operands.output,
      rounding: .double)
    let exact = Self.exactConvolution(operands)
    func error(_ kernels: KernelSet, _ workerCount: Int) throws -> Double {
      let values: [Float] = try problem.shared(kernels, workerCount: workerCount).values()
      return zip(values, exact).map { abs(Double($0) - $1) }.max() ?? .infinity
    }
    let direct: [Float] = try problem.result(.reference).values()
    let directError = zip(direct, exact).map { abs(Double($0) - $1) }.max() ?? 0
    for set in MicrokernelSet.tested {
      for workerCount in [1, 3] {
        #expect(try error(.minimalFiltering(.two, for: set), workerCount) < directError)
        #expect(try error(.minimalFiltering(.four, for: set), workerCount) < 4 * directError)
      }
    }
  }

  /// The convolution with SAME padding in Double.
  private static func exactConvolution(_ operands: OptimizedOperands) -> [Double] {
    let (input, filter, bias): ([Float], [Float], [Float]) = (
      operands.input.values(), operands.filter.values(), operands.bias.values()
    )
    let (height, width) = (operands.input.type.shape[1], operands.input.type.shape[2])
    let depth = operands.input.type.shape[3]
    var output: [Double] = []
    for row in 0..<height {
      for column in 0..<width {
        for channel in bias.indices {
          var sum = Double(bias[channel])
          for tap in 0..<9 {
            let (y, x) = (row + tap / 3 - 1, column + tap % 3 - 1)
            guard 0..<height ~= y && 0..<width ~= x else { continue }
            let (from, weights) = ((y * width + x) * depth, (channel * 9 + tap) * depth)
            for k in 0..<depth { sum += Double(input[from + k]) * Double(filter[weights + k]) }
          }
          output.append(sum)
        }
      }
    }
    return output
  }
}
