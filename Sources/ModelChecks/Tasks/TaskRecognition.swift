// SPDX-License-Identifier: Apache-2.0

internal import Formatting
public import Martlet
internal import ModelTasks

/// Which tasks a model fits: told by trying what each of them requires.
///
/// A task that refuses the model counts as fitting, with what it lacks, where it takes the same
/// model without its metadata and with the options that replace that: a normalization, a sample
/// rate. Tasks that the metadata tells come first.
public struct TaskRecognition: Sendable {
  /// The tasks, the likeliest first.
  public let fits: [TaskFit]
  /// The models that a bundle holds, with what each fits; empty for a single model.
  public let parts: [Part]

  /// A model of a bundle.
  public struct Part: Sendable {
    /// The name of its entry; that of an inner bundle stands before it.
    public let name: String
    /// The size of the entry.
    public let byteCount: Int
    /// What it fits alone.
    public let fits: [TaskFit]
  }

  /// The tasks that a model fits.
  public init(_ model: Model) { self.init(ModelInterface(model)) }

  init(_ interface: ModelInterface) {
    parts = []
    var found: [TaskFit]
    switch interface.subject {
    case .text: found = interface.textFits
    case .image: found = interface.imageFits
    case .sound: found = interface.soundFits
    case .features: found = interface.partFits
    case nil: found = []
    }
    // The order of equal ones is that in which they were found.
    found = found.filter(\.isSaid) + found.filter { !$0.isSaid }
    fits = found
  }

  init(fits: [TaskFit], parts: [Part]) {
    self.fits = fits
    self.parts = parts
  }
}

extension [TaskFit] {
  /// The tasks in a few words: `label, embed`, with what is missing or which part it is.
  package var text: String {
    var words: [String] = []
    for fit in self {
      var word = fit.task.command
      if let part = fit.part { word += " (a \(part))" }
      if fit.lack != nil { word += " (lacks metadata)" }
      if !words.contains(word) { words.append(word) }
    }
    return words.isEmpty ? "no task that is known" : words.joined(separator: ", ")
  }
}

extension ModelInterface {
  /// What the model takes; nil where no task takes it.
  var subject: TaskFit.Subject? {
    guard let first = inputs.first else { return nil }
    if case .audio? = first.metadata?.content?.properties { return .sound }
    let types = Set(inputs.map(\.elementType))
    if types == [.string] { return .text }
    if types == [.int32], inputs.allSatisfy({ $0.shape.count <= 2 }) { return .text }
    if inputs.count == 1, first.shape.count == 4, first.shape[3] == 3 || takesMaskBefore {
      return .image
    }
    let isRow = first.shape.count <= 2 && !first.shape.isEmpty
    let isReal: Bool =
      switch first.elementType {
      case .float32, .float16, .int16: true
      case _: false
      }
    if inputs.count <= 2, isRow, isReal, holdsSound(first) { return .sound }
    return .features
  }

  /// Whether the model takes the mask of the image before as a fourth channel, and gives two scores
  /// for each pixel.
  var takesMaskBefore: Bool {
    guard inputs.count == 1, outputs.count == 1, let input = inputs.first?.shape,
      input.count == 4, input[3] == 4
    else { return false }
    return outputs[0].shape == [1, input[1], input[2], 2]
  }

  /// Whether an input is long enough for sound: at 16 kHz, features of 25 ms are the shortest.
  private func holdsSound(_ input: Tensor) -> Bool {
    guard let last = input.shape.last else { return false }
    return last < 0 && input.shape.dropLast().allSatisfy { abs($0) == 1 }
      || (input.elementCount ?? input.shape.map(abs).max() ?? 0) >= 400
  }
}
