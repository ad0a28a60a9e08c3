// SPDX-License-Identifier: Apache-2.0

public import Martlet
internal import ModelFormat
internal import Tensors

/// How a golden case came out.
public struct GoldenResult: Sendable {
  /// The case's folder.
  public let folder: String
  /// The operator and element type of a single-operator model, else the model's folder.
  public let group: String
  /// How far the outputs agree: the worst of all outputs and steps.
  public let agreement: Agreement
}

/// Runs golden cases; models that repeat are loaded once.
public struct GoldenRunner {
  /// How to compute; a case's own rounding goes first unless `overridesRounding` is set.
  public var options: Interpreter.Options
  /// Whether the options' rounding holds even where a case asks for another.
  public var overridesRounding: Bool
  /// What floats may be off by; nil leaves it to each case.
  public var tolerance: Tolerance?
  private var models: [String: Model] = [:]

  /// A runner with these options.
  public init(
    options: Interpreter.Options = .init(), overridesRounding: Bool = false,
    tolerance: Tolerance? = nil
  ) {
    self.options = options
    self.overridesRounding = overridesRounding
    self.tolerance = tolerance
  }

  /// Runs the case in `folder`.
  ///
  /// Whatever goes wrong is the result's reason.
  public mutating func run(folder: String) -> GoldenResult {
    var group = folder
    do throws(GoldenError) {
      let golden = try GoldenCase(in: folder)
      group = GoldenResult.name(of: golden.model)
      let model = try model(at: golden.model)
      group = GoldenResult.group(of: model, at: golden.model)
      let agreement = try compare(golden, model)
      return GoldenResult(folder: folder, group: group, agreement: agreement)
    } catch {
      return GoldenResult(folder: folder, group: group, agreement: .differs("\(error)"))
    }
  }

  private mutating func model(at path: String) throws(GoldenError) -> Model {
    if let model = models[path] { return model }
    do throws(InferenceError) {
      let model = try Model(path: path)
      // The cases of a model follow each other, so only the last ones are kept.
      if models.count >= 16 { models.removeAll() }
      models[path] = model
      return model
    } catch {
      throw .inference(error)
    }
  }

  private func compare(_ golden: GoldenCase, _ model: Model) throws(GoldenError) -> Agreement {
    let interpreter = try interpreter(for: golden, model)
    var worst = Agreement.exact
    for step in golden.steps {
      try Self.invoke(interpreter, in: step)
      for (position, info) in interpreter.outputs.enumerated() {
        guard let (name, file) = Self.file("out", position, info, in: step) else { continue }
        let expected = try Self.array(file)
        let actual: NpyArray
        do throws(InferenceError) { actual = try interpreter.outputArray(position) } catch {
          throw .inference(error)
        }
        let agreement = actual.agreement(
          with: expected, tolerance: tolerance ?? golden.tolerance(of: name))
        if case .differs(let reason) = agreement {
          let place = String(step.dropFirst(golden.folder.count + 1))
          return .differs("\(place.isEmpty ? "" : place + " ")out_\(name): \(reason)")
        }
        worst = worst.worse(agreement)
      }
    }
    return worst
  }

  private func interpreter(
    for golden: GoldenCase, _ model: Model
  ) throws(GoldenError) -> Interpreter {
    var options = options
    if let rounding = golden.rounding, !overridesRounding { options.rounding = rounding }
    do throws(InferenceError) {
      let interpreter = try Interpreter(model, signature: golden.signature, options: options)
      for (name, shape) in golden.shapes {
        guard let position = interpreter.inputPosition(named: name) else {
          throw InferenceError(.invalidRequest("no input '\(name)' to resize"))
        }
        try interpreter.resizeInput(position, to: shape)
      }
      return interpreter
    } catch {
      throw .inference(error)
    }
  }

  private static func invoke(_ interpreter: Interpreter, in folder: String) throws(GoldenError) {
    var arrays: [(position: Int, array: NpyArray)] = []
    for (position, info) in interpreter.inputs.enumerated() {
      guard let (_, file) = file("in", position, info, in: folder) else { continue }
      arrays.append((position, try array(file)))
    }
    do throws(InferenceError) {
      try interpreter.setInputs(arrays)
      try interpreter.invoke()
    } catch {
      throw .inference(error)
    }
  }

  /// The file of an input or output: by its name in the signature, else by position.
  private static func file(
    _ prefix: String, _ position: Int, _ info: Interpreter.TensorInfo, in folder: String
  ) -> (name: String, path: String)? {
    for name in [info.argument, "\(position)"].compactMap({ $0 }) {
      let path = "\(folder)/\(prefix)_\(name).npy"
      if Folder.kind(of: path) == .file { return (name, path) }
    }
    return nil
  }

  private static func array(_ path: String) throws(GoldenError) -> NpyArray {
    do throws(NpyArray.LoadError) { return try NpyArray(contentsOf: path) } catch {
      switch error {
      case .file(let error): throw .file(error)
      case .content(let error): throw .content("\(error)", file: path)
      }
    }
  }
}

extension GoldenResult {
  /// The heading of a model's cases in a report.
  fileprivate static func group(of model: Model, at path: String) -> String {
    let main = model.file.subgraphs[0]
    guard model.file.subgraphs.count == 1, main.nodes.count == 1, let node = main.nodes.first
    else { return name(of: path) }
    func type(_ tensor: Int?) -> String? {
      tensor.flatMap { $0 < 0 ? nil : main.tensors[$0].type.elementType.schemaName }
    }
    // Axes and shapes come first in some operators; the data is what the file does not hold.
    let data = node.inputs.first {
      $0 >= 0 && model.file.values(of: main.tensors[$0]) == nil
    }
    let (input, output) = (type(data ?? node.inputs.first), type(node.outputs.first))
    let types = input == output ? [input] : [input, output]
    return "\(node.identity.name.printable) " + types.compactMap { $0 }.joined(separator: "→")
  }

  /// The name of the folder that holds a model.
  fileprivate static func name(of path: String) -> String {
    let folder = Folder.parent(of: Folder.resolved(path) ?? path) ?? path
    return folder.split(separator: "/").last.map(String.init) ?? folder
  }
}
