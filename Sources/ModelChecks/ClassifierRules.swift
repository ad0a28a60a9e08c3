// SPDX-License-Identifier: Apache-2.0

internal import Martlet
internal import ModelFormat
internal import Tensors

/// What classifiers of images must be for ML Kit and MediaPipe: the rules of the TensorFlow Lite
/// Task Library's `ImageClassifier`, which both build on.
struct ClassifierRules {
  private let inputs: [ModelFile.Tensor]
  private let outputs: [ModelFile.Tensor]
  private let notes: SubgraphMetadata?
  private let product: CheckedProduct
  private let path: String

  /// The rules of `product` for a model whose metadata is `notes`.
  init(_ model: Model, _ notes: ModelMetadata?, product: CheckedProduct, path: String) {
    let main = model.file.subgraphs[0]
    inputs = main.inputs.map { main.tensors[$0] }
    outputs = main.outputs.map { main.tensors[$0] }
    self.notes = notes?.subgraphs.first
    self.product = product
    self.path = path
  }

  /// What the product would refuse.
  var findings: [Finding] { inputFindings + outputFindings }

  private func refusal(
    _ rule: CheckRule, _ problem: String, at location: String, fix: String? = nil
  ) -> Finding {
    Finding(rule, .error, "\(product.title) refuses it: \(problem)", at: location, fix: fix)
  }

  private var inputFindings: [Finding] {
    guard inputs.count == 1, let input = inputs.first else {
      return [refusal(.singleInput, "\(inputs.count) inputs, wanted one", at: "")]
    }
    var findings: [Finding] = []
    let location = "input 0 '\(input.name.printable)'"
    let shape = input.shapeSignature ?? input.type.shape.dimensions
    let isImage =
      shape.count == 4 && [1, -1].contains(shape[0]) && shape[3] == 3 && shape[1] != 0
      && shape[2] != 0
    if !isImage {
      let looksPlanar = shape.count == 4 && [1, 3].contains(shape[1]) && shape[2] == shape[3]
      findings.append(
        refusal(
          .imageShape,
          "\(Self.text(shape)), wanted 1 × height × width × 3"
            + (looksPlanar ? "; this looks like planes of channels" : ""),
          at: location, fix: looksPlanar ? "convert the model with channels last (NHWC)" : nil))
    }
    let type = input.type.elementType
    if ![.uint8, .float32].contains(type) {
      findings.append(
        refusal(
          .imageType, "\(type.schemaName), wanted UINT8 or FLOAT32", at: location,
          fix: "convert the model with inference_input_type = tf.uint8"))
    }
    return findings + noteFindings(type, at: location)
  }

  /// What the metadata must say about the image.
  private func noteFindings(_ type: ElementType, at location: String) -> [Finding] {
    var findings: [Finding] = []
    let fix = "martlet metadata add \(path) -o OUT.tflite --mean 127.5 --std 127.5"
    let notes = notes?.inputs.first
    if let problem = ImageNormalizationProblem(notes, type) {
      findings.append(
        refusal(.imageNormalization, problem.sentence, at: location, fix: fix))
    }
    if case .image(let image) = notes?.content?.properties, image.colorSpace != .rgb {
      findings.append(
        refusal(.imageColors, "a color space that is not RGB", at: location))
    }
    return findings
  }

  private var outputFindings: [Finding] {
    var findings: [Finding] = []
    for (position, output) in outputs.enumerated() {
      let location = "output \(position) '\(output.name.printable)'"
      let shape = output.type.shape.dimensions
      let isRow =
        (shape.count == 2 && shape[0] == 1)
        || (shape.count == 4 && shape.prefix(3).allSatisfy { $0 == 1 })
      if !isRow {
        findings.append(
          refusal(
            .scoreShape, "\(Self.text(shape)), wanted 1 × n or 1 × 1 × 1 × n", at: location))
      }
      if ![.uint8, .float32].contains(output.type.elementType) {
        findings.append(
          refusal(
            .scoreType, "\(output.type.elementType.schemaName), wanted UINT8 or FLOAT32",
            at: location, fix: "convert the model with inference_output_type = tf.uint8"))
      }
    }
    if Set(outputs.map { $0.type.elementType == .uint8 }).count > 1 {
      findings.append(refusal(.scoreType, "some outputs are quantized, others are not", at: ""))
    }
    if let notes, !notes.outputs.isEmpty, notes.outputs.count != outputs.count {
      findings.append(
        refusal(
          .scoreMetadata,
          "\(outputs.count) outputs, \(notes.outputs.count) in the metadata", at: ""))
    }
    return findings
  }

  private static func text(_ shape: [Int]) -> String {
    shape.map { $0 == -1 ? "?" : "\($0)" }.joined(separator: " × ")
  }
}
