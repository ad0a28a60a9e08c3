// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
public import AudioProcessing
import MetadataFormat
public import Martlet
import ModelTasks
public import Tensors

/// The sound that a model takes: its rate and channels, and how samples become the input's values.
///
/// As the Task Library and MediaPipe have it, the first input holds interleaved samples, whatever
/// its shape: `[frames]`, `[1, frames]`, `[frames, channels]` and alike. float32 and float16 inputs
/// take samples from -1 to 1; int16, int8 and uint8 inputs take them quantized by the tensor's own
/// scale, and int16 inputs without a scale take 16-bit samples. A second input with one element
/// takes the sample rate.
public struct AudioInput: Sendable {
  /// What a model cannot say of its input, or is to be overruled in.
  public struct Options: Sendable {
    /// Frames per second; nil for the metadata's.
    public var sampleRate: Int?
    /// How many channels there are; nil for the metadata's, or 1.
    public var channelCount: Int?
    /// The frames of a window, for models that take any number; nil for the whole sound at once.
    public var windowFrameCount: Int?
    /// What samples are multiplied by: 32768 for models that take 16-bit samples as float32.
    public var scale: Float = 1
    /// How sounds of other rates are resampled.
    public var filter = ResamplingFilter.mediaPipe

    /// What the model says.
    public init() {}
  }

  /// What is wrong with a model that says nothing about its sound.
  package static let missingRate =
    "The model does not say its sample rate; the options must give it."

  /// Frames per second.
  public let sampleRate: Int
  /// How many channels there are.
  public let channelCount: Int
  /// The frames of a window; nil where the model takes any number and the options name none.
  public let frameCount: Int?
  /// The type of the input.
  public let type: TensorType
  /// What the model could not say.
  public let options: Options
  /// The shape of the input, with nil for the axis of frames where the model takes any number.
  private let openShape: [Int?]
  private let takesRate: Bool

  /// The audio input of a model.
  ///
  /// - Parameters:
  ///   - interpreter: The model's interpreter.
  ///   - model: The model.
  ///   - options: What the model cannot say.
  /// - Throws: `AudioTaskError` that says which rule the model breaks.
  public init(
    of interpreter: Interpreter, model: Model, options: Options = Options()
  ) throws(AudioTaskError) {
    let notes = try AudioTaskError.task { () throws(TaskError) in try ModelNotes(model) }
    let properties = try Self.properties(notes)
    guard let rate = options.sampleRate ?? properties?.sampleRate else {
      throw .incompatibleModel(Self.missingRate)
    }
    try self.init(
      of: interpreter, sampleRate: rate,
      channelCount: options.channelCount ?? properties?.channels ?? 1, options: options)
  }

  init(
    of interpreter: Interpreter, sampleRate: Int, channelCount: Int, options: Options
  ) throws(AudioTaskError) {
    let inputs = interpreter.inputs
    guard let first = inputs.first, let type = first.type else {
      throw .incompatibleModel("The model has no input.")
    }
    guard sampleRate > 0, (1...65535).contains(channelCount) else {
      throw .incompatibleModel(
        "Impossible audio format: \(sampleRate) Hz and \(channelCount) channels.")
    }
    guard options.scale.isFinite else { throw .invalidOption("scale \(options.scale)") }
    takesRate = inputs.count == 2
    guard inputs.count == 1 || inputs.count == 2 && Self.isRate(inputs[1]) else {
      throw .incompatibleModel(
        "Audio models have one input, or two of which the second is the sample rate; this one has \(inputs.count)."
      )
    }
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.type = type
    self.options = options
    try Self.check(type)
    let signature = first.shapeSignature ?? type.shape.dimensions
    openShape = try Self.openShape(signature, channelCount: channelCount)
    if openShape.contains(nil) {
      frameCount = options.windowFrameCount
    } else {
      let count = Self.product(openShape.compactMap { $0 })
      guard count > 0, count % channelCount == 0 else {
        throw .incompatibleModel(
          "The input of \(count) samples holds no whole frames of \(channelCount) channels.")
      }
      frameCount = count / channelCount
      guard options.windowFrameCount == nil || options.windowFrameCount == frameCount else {
        throw .invalidOption("the model takes windows of \(count / channelCount) frames")
      }
    }
    if let frameCount { try prepare(interpreter, frameCount: frameCount) }
  }

  /// What the metadata says of the sound; nil where it says nothing.
  private static func properties(
    _ notes: ModelNotes
  ) throws(AudioTaskError) -> AudioProperties? {
    guard let input = notes.metadata?.subgraphs.first?.inputs.first,
      let properties = input.content?.properties
    else { return nil }
    guard case .audio(let audio) = properties else {
      throw .incompatibleModel(
        "Expected AudioProperties for the first input, got those of another kind.")
    }
    return audio
  }

  /// Whether an input has one element, for a number of samples per second.
  private static func isRate(_ input: Interpreter.TensorInfo) -> Bool {
    guard let type = input.type, [.int32, .float32].contains(type.elementType) else { return false }
    return type.shape.dimensions.allSatisfy { $0 == 1 }
  }

  private static func check(_ type: TensorType) throws(AudioTaskError) {
    switch type.elementType {
    case .float32, .float16, .int16: return
    case .int8, .uint8:
      guard type.quantization?.perTensor != nil else {
        throw .incompatibleModel("The 8-bit input has no scale.")
      }
    case let other:
      throw .incompatibleModel(
        "The input is \(other.schemaName); float32, float16, int16, int8 and uint8 take sound.")
    }
  }

  /// The input's sides, nil for the number of frames; other open axes are 1.
  private static func openShape(
    _ signature: [Int], channelCount: Int
  ) throws(AudioTaskError) -> [Int?] {
    guard !signature.isEmpty, signature.count <= 4, !signature.contains(0) else {
      throw .incompatibleModel(
        "An audio input has 1 to 4 axes, none of them empty; this one is \(signature).")
    }
    let fixed = product(signature.filter { $0 > 0 })
    // With all samples of a window in the fixed axes, open ones are batches.
    guard fixed == 1 || fixed == channelCount, let frames = signature.lastIndex(where: { $0 < 0 })
    else { return signature.map { max(1, $0) } }
    return signature.indices.map { $0 == frames ? nil : max(1, signature[$0]) }
  }

  /// The product of positive sides, or the greatest number where there is no room for it.
  private static func product(_ sides: [Int]) -> Int {
    sides.reduce(1) { product, side in
      let (value, overflow) = product.multipliedReportingOverflow(by: side)
      return overflow ? .max : value
    }
  }

  /// Gives the input its shape for windows of `frameCount` frames.
  func prepare(_ interpreter: Interpreter, frameCount: Int) throws(AudioTaskError) {
    guard let frames = openShape.firstIndex(of: nil) else { return }
    let fixed = Self.product(openShape.compactMap { $0 })
    let (count, overflow) = frameCount.multipliedReportingOverflow(by: channelCount)
    guard !overflow, frameCount > 0 else {
      throw .invalidOption("windows of \(frameCount) frames")
    }
    let sides = openShape.indices.map { $0 == frames ? count / fixed : openShape[$0] ?? 1 }
    guard let shape = try? Shape(sides) else {
      throw .invalidOption("windows of \(frameCount) frames")
    }
    try AudioTaskError.inference { () throws(InferenceError) in
      if interpreter.inputs.first?.type?.shape != shape {
        try interpreter.resizeInput(0, to: shape)
      }
      try interpreter.prepare()
    }
  }

  /// Writes a window into the interpreter's input.
  ///
  /// - Parameters:
  ///   - window: Interleaved samples: as many as the model takes, or as `frameCount` says.
  ///   - interpreter: The interpreter that this description was made from.
  /// - Throws: `AudioTaskError` for another number of samples.
  public func feed(_ window: [Float], to interpreter: Interpreter) throws(AudioTaskError) {
    try prepare(interpreter, frameCount: window.count / channelCount)
    let samples = options.scale == 1 ? window : window.map { $0 * options.scale }
    let (type, rate, takesRate) = (type, sampleRate, takesRate)
    try AudioTaskError.inference { () throws(InferenceError) in
      switch type.elementType {
      case .float16: try interpreter.setInput(0, samples.map { Float16($0) })
      case .int16 where type.quantization?.perTensor == nil:
        try interpreter.setInput(0, samples.map(WAV.integer16))
      default: try interpreter.setInput(0, quantizing: samples)
      }
      guard takesRate else { return }
      if interpreter.inputs[1].type?.elementType == .int32 {
        try interpreter.setInput(1, [Int32(clamping: rate)])
      } else {
        try interpreter.setInput(1, [Float(rate)])
      }
    }
  }
}
