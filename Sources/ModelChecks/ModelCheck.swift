// SPDX-License-Identifier: Apache-2.0

internal import Compression
public import Martlet
internal import ModelFormat
public import ModelTasks
internal import ReferenceKernels
public import ResourceLimits
internal import Tensors
internal import VisionTasks

/// Looks at a model before it runs: the file, its operators and shapes, weights and metadata, and
/// whether products with rules of their own would take it.
public struct ModelCheck: Sendable {
  /// What was found, in the order of the checks.
  public let findings: [Finding]
  /// The tasks that the model fits, the likeliest first.
  public let fits: [TaskFit]

  /// Whether nothing that was found is an error.
  public var passes: Bool { findings.allSatisfy { $0.severity != .error } }

  /// Checks the model in the file at `path`, and whether `products` would take it.
  ///
  /// - Parameters:
  ///   - path: a model, or a bundle of models, which `.task` files are.
  ///   - products: products with rules of their own.
  ///   - task: the task that the model is meant for; nil checks for those that its metadata tells,
  ///     with warnings at most.
  ///   - limits: what the file may take.
  /// - Throws: `InferenceError` where the file cannot be read; all else is a finding.
  public init(
    modelAt path: String, for products: [CheckedProduct] = [], task: ModelTask? = nil,
    limits: Limits = Limits()
  ) throws(InferenceError) {
    do throws(InferenceError) {
      if let bundle = TaskBundle.atPath(path, limits: limits) {
        self.init(bundle, at: path, task: task)
        return
      }
      self.init(try Model(path: path, limits: limits), at: path, for: products, task: task)
    } catch {
      if case .file = error.reason { throw error }
      self.init([Finding(.readableFile, .error, error.sentence, at: error.location)])
    }
  }

  init(_ findings: [Finding], fits: [TaskFit] = []) {
    self.findings = findings
    self.fits = fits
  }

  /// Checks `model`, whose file is called `path` in what mends it.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - path: what its file is called.
  ///   - products: products with rules of their own.
  ///   - task: the task that the model is meant for; nil checks for those that its metadata tells,
  ///     with warnings at most.
  public init(
    _ model: Model, at path: String, for products: [CheckedProduct] = [], task: ModelTask? = nil
  ) {
    var findings = Self.operatorFindings(model)
    if findings.isEmpty { findings += Self.planFindings(model) }
    findings += Self.axisFindings(model)
    findings += Self.weightFindings(model)
    let storage = model.storage
    do throws(ModelError) {
      let notes = try model.file.modelMetadata(in: storage.bytes)
      findings += Self.labelFindings(model, notes, path: path)
      for product in products {
        findings += ClassifierRules(model, notes, product: product, path: path).findings
      }
    } catch {
      let location = error.path.map(\.description).joined(separator: " › ")
      findings.append(
        Finding(
          .readableMetadata, products.isEmpty ? .warning : .error, "\(error.reason)", at: location,
          fix: "martlet metadata strip \(path) -o OUT.tflite"))
    }
    let (fits, found) = TaskRules.fits(model, task: task, path: path)
    self.fits = fits
    // One thing is said once.
    self.findings =
      findings
      + found.filter { new in
        !findings.contains { $0.rule == new.rule && $0.location == new.location }
      }
  }

  /// Operators without kernels: one finding for each operator and version.
  private static func operatorFindings(_ model: Model) -> [Finding] {
    var seen = Set<OperatorIdentity>()
    var findings: [Finding] = []
    for (index, subgraph) in model.file.subgraphs.enumerated() {
      for (position, node) in subgraph.nodes.enumerated() where seen.insert(node.identity).inserted
      {
        guard let (rule, problem) = problem(of: node.identity) else { continue }
        let isBrought = node.identity.customName == PoseNetDecoder.customOperator
        let count = model.file.subgraphs.reduce(0) { sum, subgraph in
          sum + subgraph.nodes.count { $0.identity == node.identity }
        }
        let path: [ModelError.Step] = [
          .subgraph(index), .operator(position, name: node.identity.name),
        ]
        findings.append(
          Finding(
            rule, isBrought ? .note : .error,
            problem + (count > 1 ? "; \(count) nodes, this is the first" : ""),
            at: path.map(\.description).joined(separator: " › ")))
      }
    }
    return findings
  }

  private static func problem(of identity: OperatorIdentity) -> (CheckRule, String)? {
    if identity.customName == PoseNetDecoder.customOperator {
      return (.knownOperator, "only 'martlet pose' brings the operator \(identity.name)")
    }
    let missing = (
      CheckRule.knownOperator, InferenceError(.unsupportedOperator(identity.name)).sentence
    )
    guard let entry = OperatorCatalog.entry(of: identity) else { return missing }
    if let versions = entry.versions, !versions.contains(Int(identity.version)) {
      return (
        .operatorVersion,
        "version \(identity.version) of \(identity.name), wanted 1 to \(versions.highest)"
      )
    }
    return nil
  }

  /// Whether the main graph and those of signatures can be prepared.
  private static func planFindings(_ model: Model) -> [Finding] {
    // Reference kernels pack no weights: there is nothing to compute.
    var options = Interpreter.Options()
    options.kernels = .reference
    var (findings, seen) = ([Finding](), Set<Int>())
    let signatures = model.file.signatures.map { (key: Optional($0.key), subgraph: $0.subgraph) }
    for (signature, subgraph) in [(key: nil, subgraph: 0)] + signatures {
      guard seen.insert(subgraph).inserted else { continue }
      do throws(InferenceError) {
        let interpreter = try Interpreter(model, signature: signature, options: options)
        try interpreter.prepare()
        let deferred = interpreter.plan?.steps.count { step in
          if case .deferred = step { true } else { false }
        }
        if let deferred, deferred > 0 {
          findings.append(
            Finding(
              .fixedShapes, .note,
              "the shapes of \(deferred) nodes are known only while the model runs",
              at: signature.map { "signature '\($0.printable)'" } ?? ""))
        }
      } catch {
        let finding = Finding(.preparedGraph, .error, error.sentence, at: error.location)
        if !findings.contains(finding) { findings.append(finding) }
      }
    }
    // Other subgraphs are planned when they are called.
    for index in model.file.subgraphs.indices where !seen.contains(index) {
      guard let error = model.file.invalidCall(inSubgraph: index) else { continue }
      findings.append(Finding(.preparedGraph, .error, error.sentence, at: error.location))
    }
    return findings
  }

  /// Tensors that have a scale for each element along a dimension that there is not.
  private static func axisFindings(_ model: Model) -> [Finding] {
    model.file.subgraphs.enumerated().compactMap { index, subgraph in
      let borrowed = subgraph.tensors.indices.filter {
        let tensor = subgraph.tensors[$0]
        return tensor.quantization?.borrowsAxis(tensor.type.shape) ?? false
      }
      guard let first = borrowed.first else { return nil }
      let path: [ModelError.Step] = [
        .subgraph(index), .tensor(first, name: subgraph.tensors[first].name),
      ]
      return Finding(
        .ownAxis, .warning,
        "a tensor of one dimension names another as quantized: LiteRT refuses such a file, "
          + "TensorFlow Lite Micro reads it"
          + (borrowed.count > 1 ? "; \(borrowed.count) tensors, this is the first" : ""),
        at: path.map(\.description).joined(separator: " › "))
    }
  }

  /// Float constants that are no numbers; a single infinity is a limit.
  private static func weightFindings(_ model: Model) -> [Finding] {
    var findings: [Finding] = []
    for (index, subgraph) in model.file.subgraphs.enumerated() {
      for (position, tensor) in subgraph.tensors.enumerated()
      where tensor.type.elementType == .float32 {
        guard let bytes = try? model.constant(tensor) else { continue }
        let values = bytes.span(as: Float.self)
        let isSingle = values.count == 1
        let wrong = values.indices.count { index in
          isSingle ? values[index].isNaN : !values[index].isFinite
        }
        guard wrong > 0 else { continue }
        let path: [ModelError.Step] = [.subgraph(index), .tensor(position, name: tensor.name)]
        findings.append(
          Finding(
            .finiteWeights, .warning, "\(wrong) of \(values.count) numbers are NaN or infinite",
            at: path.map(\.description).joined(separator: " › ")))
      }
    }
    return findings
  }

  /// Label files that cannot be read or do not fit their outputs.
  private static func labelFindings(
    _ model: Model, _ notes: ModelMetadata?, path: String
  ) -> [Finding] {
    guard let notes, let outputs = notes.subgraphs.first?.outputs else { return [] }
    let storage = model.storage
    let main = model.file.subgraphs[0]
    let ultralytics = (try? ModelNotes(model))?.ultralytics
    var findings: [Finding] = []
    for (position, output) in outputs.enumerated() where main.outputs.indices.contains(position) {
      let tensor = main.tensors[main.outputs[position]]
      // Whole numbers for pixels are the categories themselves: their number is not known.
      let isMask =
        tensor.type.shape.dimensions.count > 2 && tensor.type.quantization == nil
        && [.uint8, .int8, .int16, .int32, .int64].contains(tensor.type.elementType)
      for file in output.associatedFiles where file.kind == .tensorAxisLabels {
        let name = file.name ?? ""
        do {
          let files = try AssociatedFiles(in: storage.bytes, limits: model.limits)
          let lines = try files.contents(of: name, in: storage.bytes).split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
          let lineCount = lines.last?.isEmpty == true ? lines.count - 1 : lines.count
          let labelCount = ultralytics?.classNames.count ?? lineCount
          let classCount = tensor.type.shape.dimensions.last ?? 1
          // Boxes of Ultralytics' other models have more numbers than classes.
          guard labelCount != classCount, !isMask, ultralytics?.task ?? "classify" == "classify"
          else { continue }
          findings.append(
            Finding(
              .labelCount, .warning,
              "'\(name.printable)' has \(labelCount) labels for \(classCount) classes",
              at: "output \(position)",
              fix: "martlet metadata add \(path) -o OUT.tflite --labels FILE"))
        } catch {
          findings.append(
            Finding(
              .readableMetadata, .warning, "'\(name.printable)' cannot be read: \(error)",
              at: "output \(position)",
              fix: "martlet metadata add \(path) -o OUT.tflite --labels FILE"))
        }
      }
    }
    return findings
  }
}
