// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension KernelSet {
  /// The set that computes some neighboring nodes as one.
  func fusingNodes() -> KernelSet {
    self
      .fusing { pair, _, _ in Self.ownGate(pair) }
      .fusing { pair, _, _ in Self.dequantized(pair) }
      .fusing { pair, _, _ in Self.negatedRectifier(pair) }
      .fusing { pair, _, _ in Self.slopeOfNegatives(pair) }
      .fusing { pair, _, _ in Self.slopeBelowZero(pair) }
      .fusing { pair, _, _ in Self.followedByFunction(pair) }
      .fusing { pair, _, _ in Self.followedByOperation(pair) }
      .fusing { pair, set, weights in Self.padded(pair, set, weights) }
      .fusing { pair, _, _ in Self.banded(pair) }
  }

  /// A function of a tensor, then an operation on the tensor and the function's results, as in
  /// `x · σ(x)`: one function.
  private static func ownGate(_ pair: FusionPair) -> Fusion? {
    guard pair.sources == [.input(0), .result] || pair.sources == [.result, .input(0)],
      let function = pair.first.blocks?.element, let operation = pair.second.blocks?.row,
      !operation.runs.repeatsOperands,
      let gated = function.gating(operation, resultIsLeft: pair.sources[0] == .result)
    else { return nil }
    return Fusion(OptimizedKernel(gated), inputs: [.first(0)])
  }

  /// 8-bit values as floats, then a function of these; and such functions, then 8-bit values again.
  private static func dequantized(_ pair: FusionPair) -> Fusion? {
    guard pair.sources == [.result], let first = pair.first.blocks?.element,
      !first.keepsSize
    else { return nil }
    let kernel: (any BlockKernel)? =
      if let function = first as? DequantizedFunction,
        let conversion = pair.second.blocks?.element as? QuantizedConversion
      {
        QuantizedTable(function, quantizedBy: conversion)
      } else {
        DequantizedFunction(first, followedBy: pair.second)
      }
    return kernel.map { Fusion(OptimizedKernel($0), inputs: pair.firstInputs) }
  }

  /// A kernel, then a function of its output's elements.
  private static func followedByFunction(_ pair: FusionPair) -> Fusion? {
    guard pair.sources.first == .result,
      let function = pair.second.blocks?.element, function.keepsSize,
      let first = pair.first.blocks?.region
    else { return nil }
    return Fusion(
      OptimizedKernel(
        FollowedKernel(first, .function(FollowingFunction(function))),
        scratch: pair.first.kernel.scratch),
      inputs: pair.firstInputs)
  }

  /// A kernel, then an operation on its output and another tensor of the same shape.
  private static func followedByOperation(_ pair: FusionPair) -> Fusion? {
    guard pair.sources.count == 2, let position = pair.sources.firstIndex(of: .result),
      pair.sources[1 - position] != .result,
      let operation = pair.second.blocks?.row, !operation.runs.repeatsOperands,
      let first = pair.first.blocks?.region
    else { return nil }
    let inputs = pair.firstInputs
    let kernel = FollowedKernel(
      first,
      .operation(FollowingOperation(operation, other: inputs.count, isSwapped: position == 1)))
    return Fusion(
      OptimizedKernel(kernel, scratch: pair.first.kernel.scratch),
      inputs: inputs + [.second(1 - position)]
    )
  }

  /// Padding, then a convolution or a maximum, which gets more padding of its own.
  private static func padded(
    _ pair: FusionPair, _ set: KernelSet, _ weights: WeightCache
  ) -> Fusion? {
    guard pair.sources.first == .result, !pair.sources.dropFirst().contains(.result),
      let reference = pair.first.reference, let input = pair.first.context.optionalInput(0),
      let output = pair.second.context.optionalInput(0),
      let padding = ImagePadding(reference, input: input, output: output.shape),
      let windows = pair.second.reference, let kernel = set.padded(windows, by: padding),
      let optimizedKernel = set.optimizedKernel(for: kernel, pair.second.context, weights)
    else { return nil }
    let others = pair.sources.indices.dropFirst().map { Fusion.Input.second($0) }
    return Fusion(optimizedKernel, inputs: [.first(0)] + others)
  }

  /// Convolutions with a large image between them.
  private static func banded(_ pair: FusionPair) -> Fusion? {
    guard pair.sources.first == .result, !pair.sources.dropFirst().contains(.result),
      let first = pair.first.blocks, let second = pair.second.blocks,
      let kernel = BandedKernel(first, second, workerCount: pair.workerCount)
    else { return nil }
    return Fusion(OptimizedKernel(kernel), inputs: pair.firstInputs)
  }
}

extension PreparedNode {
  /// The kernel, if its work falls into blocks.
  var blocks: (any BlockKernel)? { kernel.blocks }
}
