// SPDX-License-Identifier: Apache-2.0

package import ModelSchema
package import Tensors

extension CatalogEntry {
  static let localResponseNormalization = CatalogEntry(
    .localResponseNormalization, chapter: .normalization,
    formula: "y[c] = x[c] · (bias + Σ alpha · x[j]²)^(−beta),   c − radius ≤ j ≤ c + radius",
    versions: .upTo(1),
    variants: "f32", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in LocalResponseNormalization(options: try node.options()) }
}

/// `LOCAL_RESPONSE_NORMALIZATION`: each channel damped by the energy of its neighbors.
///
/// The sum runs over the channels that exist. TFLite's reference kernel leaves out the last one;
/// this follows its default kernel, which TensorFlow agrees with: the sum of a window is that of
/// the one before, plus one square and minus one.
/// TFLite: `local_response_norm.cc`, `optimized_ops.h`.
struct LocalResponseNormalization: Operator {
  let options: LocalResponseNormalizationOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    guard input.shape.rank == 4 else { throw .rank(input.shape.rank, wanted: "4", .input(0)) }
    for (type, tensor) in [(input, KernelError.Tensor.input(0)), (output, .output(0))]
    where type.elementType != .float32 {
      throw .elementType(type.elementType, tensor)
    }
    guard options.radius >= 0 else { throw .invalid("radius \(options.radius)") }
    return Prepared(
      output.with(shape: input.shape),
      LocalResponseNormalizationKernel(options, depth: input.shape[3]))
  }
}

/// The loop of `LOCAL_RESPONSE_NORMALIZATION`.
package final class LocalResponseNormalizationKernel: SteppedKernel {
  /// Radius, bias, alpha and beta.
  package let options: LocalResponseNormalizationOptions
  /// Channels of a pixel.
  package let depth: Int

  /// The loop over pixels of `depth` channels.
  package init(_ options: LocalResponseNormalizationOptions, depth: Int) {
    self.options = options
    self.depth = depth
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Float.self)
    var output = frame.output(0, as: Float.self)
    guard depth > 0 else { return }
    let radius = min(Int(options.radius), depth)
    for start in stride(from: 0, to: input.count, by: depth) {
      let pixel = input.extracting(start..<start + depth)
      steps.about(start..<start + depth)
      var sum: Float = 0
      for channel in 0..<radius {
        sum += steps.term(square(pixel[channel]), of: pixel, channel)
      }
      for channel in 0..<depth {
        let (first, last) = (channel - radius, channel + radius)
        if last < depth { sum += steps.term(square(pixel[last]), of: pixel, last) }
        steps.about(start + channel)
        let total = steps.accumulator(sum, of: "squares, coming in and going out")
        let energy = steps.sum(options.bias, total, "energy")
        let factor = steps.note(
          "factor", "\(energy) to the power of -\(options.beta)", damping(energy))
        output[start + channel] = steps.product(pixel[channel], factor)
        if first >= 0 { sum += steps.term(-square(pixel[first]), of: pixel, first) }
      }
    }
  }

  private func square(_ value: Float) -> Float { value * value * options.alpha }

  private func damping(_ energy: Float) -> Float {
    switch options.beta {
    case 1: 1 / energy
    case 0.5: 1 / energy.squareRoot()
    case let beta: FloatMath.pow(energy, -beta)
    }
  }
}
