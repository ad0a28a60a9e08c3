// SPDX-License-Identifier: Apache-2.0

import Explanations
import Martlet
import Tensors

/// `martlet explain`: how one element of a tensor came about.
package struct ExplainCommand {
  private let arguments: ParsedArguments
  private let console: any Console
  private let path: String

  package static let description = CommandDescription(
    "explain", "Show the arithmetic of one element of a tensor.",
    discussion: """
      Runs the model with the reference kernels and shows how a node computed one element of its \
      output: the formula and the file that it stands in, every element that was read, the \
      products, and each step from their sum to the stored value. In loops, the last evaluation \
      counts.

      With --recompute, the value is computed once more, from the listed numbers where all are \
      listed and by the reference kernel otherwise; the exit code is 1 if it is not the stored \
      one, bit for bit.
      """,
    arguments: [
      ArgumentDescription(
        "model", "The model; - reads it from standard input.", completion: .files(["tflite"]))
    ],
    options: [
      .value("tensor", "name|index", "The tensor that the element belongs to.")
        .called(earlier: "t"),
      .value("at", "0,3,3,7", "The element's index along each axis."),
      .value("subgraph", "n", "The tensor's subgraph; the one that runs unless given."),
    ] + RunInputs.descriptions + [
      ComputationOptions.rounding,
      .flag("recompute", "Compute the value once more and compare."),
      .flag("all", "List every product, not just the first and last ones."),
      .json,
    ]
  ) { arguments, console throws(CommandError) in
    let command = ExplainCommand(
      arguments: arguments, console: console, path: try arguments.required("model"))
    return try command.run()
  }

  private func run() throws(CommandError) -> ExitCode {
    guard let wanted = arguments.value("tensor") else {
      throw arguments.usage(
        "missing option '--tensor'", hint: "martlet inspect --tensors lists the tensors")
    }
    let subgraph = try arguments.value("subgraph").map { _ throws(CommandError) in
      try arguments.integer("subgraph", default: 0, in: 0...Int.max)
    }
    let explainer = try explainer()
    let explanation: Explanation
    do throws(ExplanationError) {
      let tensor = try explainer.tensor(called: wanted, inSubgraph: subgraph)
      let shape = try explainer.shape(ofTensor: tensor, inSubgraph: subgraph)
      guard let index = index(of: shape) else {
        throw ExplanationError.noSuchElement(
          index: arguments.value("at") ?? "", tensor: wanted, shape: shape)
      }
      explanation = try explainer.explanation(
        ofTensor: tensor, inSubgraph: subgraph, at: index,
        recomputes: arguments.flag("recompute"))
    } catch {
      throw commandError(error)
    }
    if arguments.flag("json") {
      try console.print(explanation.json(model: path))
    } else {
      try console.print(ExplanationText(explanation, isComplete: arguments.flag("all")).text)
    }
    return explanation.recomputation?.isEqual == false ? .failure : .success
  }

  /// An explainer that has run the model on the command's inputs.
  private func explainer() throws(CommandError) -> Explainer {
    let model = try console.model(at: path, showsValues: true)
    let signature = arguments.value("signature")
    let inputs = try RunInputs(arguments, madeUp: nil)
    let computation = try ComputationOptions(arguments)
    try model.checkSignature(signature, at: path, command: arguments.command)
    let explainer = try naming(path) { () throws(InferenceError) in
      try Explainer(model, signature: signature, options: computation.interpreter)
    }
    try inputs.apply(
      to: explainer.interpreter, model: path, command: arguments.command, console: console)
    try naming(path) { () throws(InferenceError) in try explainer.run() }
    return explainer
  }

  /// The index that `--at` gives, of which a scalar needs none; nil where it is no index.
  private func index(of shape: Shape) -> [Int]? {
    guard let text = arguments.value("at") else { return shape.rank == 0 ? [] : nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    return numbers.count == parts.count ? numbers : nil
  }

  private func commandError(_ error: ExplanationError) -> CommandError {
    switch error {
    case .noSuchTensor(let sentence):
      arguments.usage("\(sentence)", hint: "martlet inspect --tensors lists the tensors")
    case .noSuchElement(let index, let tensor, let shape):
      arguments.usage(
        index.isEmpty
          ? "missing option '--at': '\(tensor)' is of shape \(shape)"
          : "'\(index)' for '--at', wanted an element of '\(tensor)' of shape \(shape)")
    case .noValue: .data("\(error)", location: path)
    case .inference(let error): .inference(error, model: path)
    }
  }
}
