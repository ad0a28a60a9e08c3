// SPDX-License-Identifier: Apache-2.0

internal import Compression
internal import FileAccess
public import Martlet
internal import ModelFormat
public import Npy
internal import ResourceLimits
internal import Tensors

/// How a golden case came out.
public struct GoldenResult: Sendable {
  /// The case's folder.
  public let folder: String
  /// The heading: the operator and element type of a single-operator model, else the model's
  /// folder.
  public var group: String
  /// Where the expected outputs come from: the words of `case.json`, as in `engine: x, version: y`.
  public let provenance: String
  /// How far the outputs agree: the worst of all outputs and steps.
  public let agreement: Agreement
  /// How long loading, running and comparing took.
  public let duration: Duration
}

/// Runs golden cases; models that repeat are loaded once.
public struct GoldenRunner {
  /// How to compute; a case's own rounding goes first unless `overridesRounding` is set.
  public var options: Interpreter.Options
  /// Whether the options' rounding holds even where a case asks for another.
  public var overridesRounding: Bool
  /// What floats may be off by; nil leaves it to each case.
  public var tolerance: Tolerance?
  /// The same for cases under one heading, an operator or a model's folder; goes first.
  public var groupTolerances: [String: Tolerance] = [:]
  private var models: [String: Model] = [:]
  private var digests: [String: String] = [:]

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
    let clock = ContinuousClock()
    let start = clock.now
    var (group, provenance) = (folder, "")
    var agreement = Agreement.exact
    do throws(GoldenError) {
      let golden = try GoldenCase(in: folder)
      group = GoldenResult.name(of: golden.model)
      provenance = golden.provenance.map { "\($0.name): \($0.word)" }.joined(separator: ", ")
      let model = try model(at: golden.model)
      group = GoldenResult.group(of: model, at: golden.model)
      try check(model, of: golden)
      agreement = try compare(golden, model, tolerance: tolerance(ofGroup: group))
    } catch {
      agreement = .differs("\(error)")
    }
    return GoldenResult(
      folder: folder, group: group, provenance: provenance, agreement: agreement,
      duration: clock.now - start)
  }

  /// What floats of a heading's cases may be off by; nil leaves it to each case.
  private func tolerance(ofGroup group: String) -> Tolerance? {
    let name = group.split(separator: " ").first.map(String.init) ?? group
    return groupTolerances[group] ?? groupTolerances[name] ?? tolerance
  }

  private mutating func model(at path: String) throws(GoldenError) -> Model {
    if let model = models[path] { return model }
    let model = try Model.ofGoldens(at: path, limits: options.limits ?? Limits())
    // The cases of a model follow each other, so only the last ones are kept.
    if models.count >= 16 { models.removeAll() }
    models[path] = model
    return model
  }

  /// - Throws: `GoldenError` where the case was made with another model.
  private mutating func check(_ model: Model, of golden: GoldenCase) throws(GoldenError) {
    guard let wanted = golden.modelDigest?.lowercased() else { return }
    let storage = model.storage
    let digest = digests[golden.model] ?? SHA256.hexadecimalDigest(storage.bytes)
    digests[golden.model] = digest
    guard digest == wanted else {
      throw .content("its digest \(digest) is not the case's, \(wanted)", file: golden.model)
    }
  }

  private func compare(
    _ golden: GoldenCase, _ model: Model, tolerance: Tolerance?
  ) throws(GoldenError) -> Agreement {
    let interpreter = try interpreter(for: golden, model)
    var worst = Agreement.exact
    var comparisonCount = 0
    for step in golden.steps {
      let arrays = try GoldenFolder(step)
      try Self.invoke(interpreter, arrays)
      for (position, info) in interpreter.outputs.enumerated() {
        let type = try? interpreter.outputType(position)
        guard let (name, expected) = try arrays.array(.output, position, info, as: type) else {
          continue
        }
        let actual: NpyArray
        do throws(InferenceError) { actual = try interpreter.outputArray(position) } catch {
          throw .inference(error)
        }
        comparisonCount += 1
        let agreement = actual.agreement(
          with: expected, tolerance: tolerance ?? golden.tolerance(of: name))
        if case .differs(let reason) = agreement {
          let location = String(step.dropFirst(golden.folder.count + 1))
          return .differs("\(location.isEmpty ? "" : location + " ")out_\(name): \(reason)")
        }
        worst = worst.worse(agreement)
      }
    }
    guard comparisonCount > 0 else {
      throw .content("nothing expected is an output of the model", file: golden.folder)
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

  private static func invoke(
    _ interpreter: Interpreter, _ folder: GoldenFolder
  ) throws(GoldenError) {
    var arrays: [(position: Int, array: NpyArray)] = []
    for (position, info) in interpreter.inputs.enumerated() {
      guard let (_, array) = try folder.array(.input, position, info, as: info.type) else {
        continue
      }
      arrays.append((position, array))
    }
    do throws(InferenceError) {
      try interpreter.setInputs(arrays)
      try interpreter.invoke()
    } catch {
      throw .inference(error)
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
    return Folder.lastName(of: folder)
  }
}
