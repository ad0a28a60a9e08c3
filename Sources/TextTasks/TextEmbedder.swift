// SPDX-License-Identifier: Apache-2.0

public import Martlet
public import ModelTasks

/// Turns texts into vectors that are alike where the texts mean the same.
///
/// The model takes texts as `TextClassifier`'s does; each of its outputs is a vector. Of a
/// universal sentence encoder, which has two, only `response_encoding` counts. An embedder belongs
/// to one task at a time. Task Library and MediaPipe: `TextEmbedder`.
public final class TextEmbedder {
  /// How vectors are finished.
  public let options: EmbeddingOptions
  /// The model's interpreter.
  public let interpreter: Interpreter
  private let input: TextInput
  private let heads: [(index: Int, name: String)]

  /// An embedder that runs `model`.
  ///
  /// - Throws: `TaskError` where the model takes no texts.
  public init(
    _ model: Model, options: EmbeddingOptions = EmbeddingOptions(),
    interpreter interpreterOptions: Interpreter.Options = Interpreter.Options()
  ) throws(TaskError) {
    self.options = options
    let notes = try ModelNotes(model)
    interpreter = try Interpreter(forTask: model, options: interpreterOptions)
    input = try TextInput(of: interpreter, notes)
    let described = notes.outputs
    let all = interpreter.outputs.enumerated().map { index, output in
      let metadata = described.flatMap { $0.indices.contains(index) ? $0[index] : nil }
      return (index: index, name: metadata?.name ?? output.name)
    }
    let response = all.filter { $0.name == "response_encoding" }
    heads = response.isEmpty ? all : response
    guard !heads.isEmpty else { throw .incompatibleModel("the model has no outputs") }
  }

  /// The vectors of a text, one for each output.
  ///
  /// - Throws: `TaskError` when the text cannot become tokens or the model fails on it.
  public func embed(_ text: String) throws(TaskError) -> [Embedding] {
    try input.feed(text, to: interpreter)
    try interpreter.invokeForTask()
    var results: [Embedding] = []
    for head in heads {
      let values = try interpreter.values(ofOutput: head.index)
      results.append(
        Embedding(
          headIndex: head.index, headName: head.name, values: options.finished(values)))
    }
    return results
  }
}
