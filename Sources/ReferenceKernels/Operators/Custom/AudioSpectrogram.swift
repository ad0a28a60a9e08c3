// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension CatalogEntry {
  static let audioSpectrogram = CatalogEntry(
    custom: "AudioSpectrogram",
    formula: """
      y[c, t, f] = |Σⱼ x[t·stride + j, c] · w[j] · exp(−2πi f j / n)|²,  \
      w[j] = ½ − ½ cos(2πj / window)
      """,
    variants: "f32", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in try AudioSpectrogram(node) }
}

/// `AudioSpectrogram`: how loud each frequency is in overlapping windows of sound.
///
/// - Input 0: the sound, float32, `[samples, channels]`.
/// - Output: float32, `[channels, windows, n / 2 + 1]`, where n is the next power of two of
///   `window_size`; with `magnitude_squared` false, the square roots.
///
/// Only whole windows count. Everything up to the square is computed in double precision.
/// TFLite: `audio_spectrogram.cc`, `internal/spectrogram.cc`.
struct AudioSpectrogram: Operator {
  let windowSize: Int
  let stride: Int
  let isSquared: Bool

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let input = try node.input(0)
    try input.expect(.float32, .input(0))
    try node.declaredOutput().expect(.float32, .output(0))
    guard input.shape.rank == 2 else { throw .rank(input.shape.rank, wanted: "2", .input(0)) }
    var length = 1
    while length < windowSize { length *= 2 }
    let missing = input.shape[0] - windowSize
    let loop = AudioSpectrogramLoop(
      windowSize: windowSize, stride: stride, isSquared: isSquared, channelCount: input.shape[1],
      windowCount: missing < 0 ? 0 : 1 + missing / stride, transformLength: length)
    let shape = try Shape.checked([loop.channelCount, loop.windowCount, length / 2 + 1])
    return Prepared(TensorType(.float32, shape), LoopKernel(loop))
  }

  /// The operator with the options of a node.
  init(_ node: NodeDescription) throws(KernelError) {
    let map = try node.flexOptions()
    windowSize = map["window_size"]?.int ?? 0
    stride = map["stride"]?.int ?? 0
    isSquared = map["magnitude_squared"]?.bool ?? false
    guard 2...(1 << 30) ~= windowSize, 1...Int(Int32.max) ~= stride else {
      throw .invalid("window_size \(windowSize), stride \(stride)")
    }
  }
}

/// The loop of `AudioSpectrogram`.
package struct AudioSpectrogramLoop: SteppedLoop {
  /// Samples of a window.
  package let windowSize: Int
  /// Samples from one window to the next.
  package let stride: Int
  /// Whether squares are wanted.
  package let isSquared: Bool
  /// Channels of the sound.
  package let channelCount: Int
  /// Windows that fit the sound.
  package let windowCount: Int
  /// Samples of a transform.
  package let transformLength: Int

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Float.self)
    var output = frame.output(0, as: Float.self)
    // What the tables need is bounded by the sound's length where there is a window.
    guard !output.isEmpty else { return }
    let weights = (0..<windowSize).map {
      0.5 - 0.5 * FloatMath.cos(2 * Double.pi * Double($0) / Double(windowSize))
    }
    let transform = FourierTransform(count: transformLength)
    var position = 0
    for channel in 0..<channelCount {
      for window in 0..<windowCount {
        var real = [Double](repeating: 0, count: transformLength)
        var imaginary = real
        let elements = position..<position + transformLength / 2 + 1
        steps.about(elements)
        for index in 0..<windowSize {
          let sample = (window * stride + index) * channelCount + channel
          real[index] = steps.term(Double(input[sample]) * weights[index], of: input, sample)
        }
        transform.transform(
          real: &real, imaginary: &imaginary,
          elements: elements, distance: 1, &steps)
        for frequency in 0...transformLength / 2 {
          let (re, im) = (real[frequency], imaginary[frequency])
          steps.about(position)
          let square = steps.note(
            "square", "\(re)² + \(im.operand)² in single precision", Float(re * re + im * im))
          output[position] = isSquared ? square : steps.squareRoot(square)
          position += 1
        }
      }
    }
  }
}
