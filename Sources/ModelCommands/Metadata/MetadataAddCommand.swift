// SPDX-License-Identifier: Apache-2.0

import Compression
import FileAccess
import JSONDocuments
import Martlet
import MetadataDocuments
import VisionTasks

/// `martlet metadata add`: a model with other metadata and files.
struct MetadataAddCommand {
  private let arguments: ParsedArguments
  private let console: any Console
  private let path: String

  static let description = CommandDescription(
    "add", "Write a model with metadata and associated files.",
    discussion: """
      Options change what the model says already, or what --json-file says in its location. \
      A classifier's labels go to the output with as many classes; those of a detector with \
      finished detections to the output with the class numbers, and its outputs get the names \
      that the TensorFlow Lite task library knows. The input that takes the image becomes an \
      image; where it is float32, ML Kit, MediaPipe and the task library need --mean and --std. \
      --task, --sample-rate and --vocabulary describe models of other tasks, sounds and texts.
      """,
    arguments: [MetadataCommand.model],
    options: [
      .output(["tflite"]),
      .value(
        "json-file", "file",
        "All metadata, as 'metadata extract' writes it; files that it names lie beside it.",
        completion: .files(["json"])),
      .value("name", "text", "The model's name."),
      .value("description", "text", "What the model does."),
      .value("author", "text", "Who made the model."),
      .value("license", "text", "The license under which it may be used."),
      .value("version", "text", "The model's version."),
      .value(
        "file", "file", "A file for readers, such as a license.", isRepeated: true,
        completion: .files([])),
    ] + ImageMetadataOptions.descriptions + TaskMetadataOptions.descriptions + [.json]
  ) { arguments, console throws(CommandError) in
    try MetadataAddCommand(
      arguments: arguments, console: console, path: try arguments.required("model")
    ).run()
    return .success
  }

  private func run() throws(CommandError) {
    _ = try arguments.output()
    let model = try console.model(at: path)
    var (metadata, files) = try start(model)
    metadata = described(metadata)
    for file in arguments.allValues("file") {
      let contents = try ImageMetadataOptions.contents(of: file, console)
      metadata?.associatedFiles.removeAll { $0.name == contents.name }
      metadata?.associatedFiles.append(AssociatedFile(name: contents.name, kind: .descriptions))
      files = files.filter { $0.name != contents.name } + [contents]
    }
    let changed = try TaskMetadataOptions.added(
      to: metadata, files: files, of: model, path: path, arguments, console)
    warn(changed.metadata, model)
    let bytes: [UInt8]
    do throws(MetadataError) {
      bytes = try model.bytes(with: changed.metadata, files: changed.files)
    } catch {
      throw CommandError(error, model: path)
    }
    try MetadataCommand.finish(bytes, from: path, arguments, console)
  }

  /// The metadata and files that the options change: a document's or the model's own.
  private func start(
    _ model: Model
  ) throws(CommandError) -> (ModelMetadata?, [AssociatedFileContents]) {
    var files: [AssociatedFileContents]
    do throws(MetadataError) { files = try model.associatedFiles() } catch {
      throw CommandError(error, model: path)
    }
    guard let document = arguments.value("json-file") else {
      do throws(ModelError) { return (try model.metadata(), files) } catch {
        throw .data(
          "\(error)", location: path,
          hint: "'martlet metadata strip' takes it off; --json-file replaces it")
      }
    }
    let metadata = try self.metadata(in: document)
    let folder = Folder.parent(of: document) ?? "."
    for name in Set(metadata?.allAssociatedFiles.compactMap(\.name) ?? []).sorted() {
      guard name.isSafePath else { throw CommandError(.unsafeName(name), model: document) }
      let file = "\(folder)/\(name)"
      guard document != "-", Folder.kind(of: file) != nil else { continue }
      files.removeAll { $0.name == name }
      files.append(AssociatedFileContents(name: name, contents: try console.read(file)))
    }
    // Files of metadata that is replaced go with it.
    let mentioned = Set(metadata?.allAssociatedFiles.compactMap(\.name) ?? [])
    let old = (try? model.metadata())?.allAssociatedFiles.compactMap(\.name) ?? []
    files.removeAll { old.contains($0.name) && !mentioned.contains($0.name) }
    return (metadata, files)
  }

  private func metadata(in document: String) throws(CommandError) -> ModelMetadata? {
    let json: JSON
    let bytes = try console.read(document)
    do throws(JSONError) { json = try JSON(parsing: bytes) } catch {
      throw .json(error, file: document)
    }
    do throws(JSONContentError) { return try ModelMetadata.described(by: json) } catch {
      throw .data(error.reason, location: "\(document), \(error.path)")
    }
  }

  /// The metadata with the texts that options give.
  private func described(_ metadata: ModelMetadata?) -> ModelMetadata? {
    var metadata = metadata ?? ModelMetadata()
    metadata.name = arguments.value("name") ?? metadata.name
    metadata.description = arguments.value("description") ?? metadata.description
    metadata.author = arguments.value("author") ?? metadata.author
    metadata.license = arguments.value("license") ?? metadata.license
    metadata.version = arguments.value("version") ?? metadata.version
    return metadata
  }

  /// Says what others will miss.
  private func warn(_ metadata: ModelMetadata, _ model: Model) {
    guard let graph = model.file.subgraphs.first, let inputs = metadata.subgraphs.first?.inputs
    else { return }
    for (position, input) in inputs.enumerated() {
      guard case .image? = input.content?.properties, graph.inputs.indices.contains(position),
        graph.tensors[graph.inputs[position]].type.elementType == .float32
      else { continue }
      if input.normalizations.isEmpty {
        console.note(
          "warning: input \(position) is FLOAT32 and has no normalization; ML Kit and the task "
            + "library refuse it without --mean and --std\n")
      }
    }
  }
}
