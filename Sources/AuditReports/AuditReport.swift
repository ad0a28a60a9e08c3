// SPDX-License-Identifier: Apache-2.0

@_exported public import AuditFacts
internal import Imaging
internal import LiveKernels
public import Martlet
public import ModelChecks
internal import ModelFormat
internal import ModelSummaries
internal import OptimizedKernels
internal import ReferenceKernels
internal import RunComparisons
internal import Traces
internal import VisionTasks

/// All that is to be known about a model and one run of it, as one page or one document.
///
/// ```swift
/// let interpreter = try Interpreter(model)
/// try interpreter.setInput(0, pixels)
/// let report = try AuditReport(of: interpreter, fileName: "digits_int8.tflite")
/// try report.html.write(toFile: "report.html", atomically: true, encoding: .utf8)
/// ```
///
/// The model runs many times: with the interpreter's options, with the other kernel set, and in
/// every way that the proof of determinism covers. The same model, inputs and options give the
/// same bytes, unless times are asked for.
public struct AuditReport: Sendable {
  let identity: ModelIdentity
  /// What is said about the model's operators before it runs.
  let operators: [ModelSummary.OperatorUse]
  let totalMultiplyAdds: Int?
  let weightByteCount: Int
  let metadata: ModelMetadata?
  /// What checking and running brought to light.
  public let findings: [Finding]
  let inputs: [GraphTensor]
  let outputs: [GraphTensor]
  let layers: [Layer]
  let weights: [WeightTensor]
  let memory: MemoryFacts?
  /// Which kernels the run was compared with.
  let otherKernels: String
  let proof: DeterminismProof
  /// A layer that readers can change; nil where none suits.
  let live: LiveSection?
  let featureMaps: [FeatureMap]
  let image: ImageFacts?
  /// What the model's task says; nil for labels and boxes, which `image` has, and for no task.
  let answer: TaskFacts?
  /// Where the inputs come from, if a task of several models made them.
  let inputOrigin: InputOrigin?
  /// The values of the outputs, the largest first.
  let scores: [OutputScores]

  /// The report about a model and the inputs that `interpreter` has been given.
  ///
  /// - Parameters:
  ///   - interpreter: an interpreter of the main graph with its inputs set; its options are those
  ///     of the audited run.
  ///   - fileName: what the model's file is called.
  ///   - image: the image that became the input; nil where none did.
  ///   - answer: what the model's task says of a sound or a text, whose interpreter is the first
  ///     argument; nil where the input is another.
  ///   - options: what the report says.
  /// - Throws: `AuditError` where the model cannot run.
  public init(
    of interpreter: Interpreter, fileName: String, image: AuditedImage? = nil,
    answer: AuditedAnswer? = nil, options: AuditOptions = AuditOptions()
  ) throws(AuditError) {
    do {
      try self.init(examining: interpreter, fileName, image, answer?.facts, options)
    } catch let error as VisionError {
      throw .vision(error)
    } catch let error as InferenceError {
      throw .inference(error)
    } catch TraceError.inference(let error) {
      throw .inference(error)
    } catch let error as ImagingError {
      throw .vision(.image(error))
    } catch {
      throw .other("\(error)")
    }
  }

  private init(
    examining given: Interpreter, _ fileName: String, _ audited: AuditedImage?,
    _ told: TaskFacts?, _ audit: AuditOptions
  ) throws {
    let model = given.model
    let captured = try CapturedInputs(of: given)
    var options = given.options
    options.keepsAllTensors = true
    let run = try captured.interpreter(of: model, options: options)
    let trace = try run.trace()
    let summary = ModelSummary(model, path: fileName, options: given.options)

    var otherOptions = options
    let isReference = options.kernels.name == KernelSet.reference.name
    otherOptions.kernels = isReference ? .optimized : .reference
    let other = try captured.interpreter(of: model, options: otherOptions)
    try other.invoke()
    let digest = (isReference ? run : other).outputDigest()

    var layers = LayerSurvey(run, trace, summary).layers()
    layers.compare(run, with: other)
    layers.compare(with: FloatShadow(of: run))
    featureMaps = FeatureMap.maps(of: layers, in: run)
    live = try LiveLayer.best(of: run).map { try LiveSection($0) }
    if audit.measuresTime { try layers.time(run) }

    identity = ModelIdentity(model, path: fileName, captured, given.options, audit)
    operators = summary.operators
    totalMultiplyAdds = summary.totalMACs(ofSubgraph: 0)
    weightByteCount = summary.weightByteCount
    metadata = try? model.metadata()
    inputs = GraphTensor.all(run.inputs)
    outputs = GraphTensor.all(run.outputs)
    self.layers = layers
    weights = WeightTensor.all(of: model)
    memory = summary.interpreter.flatMap(PlanSummary.init).map { MemoryFacts($0, model) }
    otherKernels = otherOptions.kernels.name
    proof = try DeterminismProof(
      of: model, captured, given.options, threadCounts: audit.threadCounts, reference: digest)
    inputOrigin = audit.inputOrigin
    scores = OutputScores.all(run, count: audit.topCount)
    image = try audited.map { [work = totalMultiplyAdds] in
      try ImageFacts($0, model, given.options, audit, multiplyAdds: work)
    }
    if let audited, let facts = image, facts.needsTask(of: model) {
      answer = try TaskFacts.told(of: audited, model, given.options, count: audit.topCount)
    } else {
      answer = told
    }
    findings =
      ModelCheck(model, at: fileName).findings
      + RunFindings.all(layers, proof, kernels: given.options.kernels.name)
  }
}
