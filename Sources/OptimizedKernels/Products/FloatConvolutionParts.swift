// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// A convolution of floats as products take it: groups of few channels are computed several at once.
///
/// An infinity or NaN in the input then reaches the outputs of the groups that are one with its own.
struct FloatConvolutionParts {
  /// The loops, perhaps of joined groups.
  let nest: Conv2DNest
  /// The limits of results.
  let range: ActivationRange<Float>
  /// Weights and bias.
  let weights: ConstantWeights

  /// The parts of `loop` for products of this layout; nil where its weights are not constant.
  init?(
    _ loop: ConvolutionLoop<Conv2DNest, FloatConvolution>, _ node: PrepareContext,
    _ layout: FloatGemmLayout
  ) {
    let single = loop.nest
    guard
      let weights = ConstantWeights(
        node, filterByteCount: single.weightCount * 4, biasByteCount: single.outputDepth * 4)
    else { return nil }
    let count = single.groupsOfVector(laneCount: layout.laneCount)
    nest = single.joiningGroups(count)
    range = loop.arithmetic.range
    self.weights = single.weights(
      weights, joiningGroups: count, elementByteCount: 4, filler: 0)
  }

  /// The kernel that computes the convolution.
  func optimizedKernel(_ cache: WeightCache, _ set: MicrokernelSet) -> KernelSet.OptimizedKernel {
    LineProduct<FloatLines>(self, cache, set).map { KernelSet.OptimizedKernel($0) }
      ?? KernelSet.OptimizedKernel(FloatProduct(self, cache, set))
  }
}
