// SPDX-License-Identifier: Apache-2.0

import FileAccess
import JSONDocuments
import Martlet
import ModelFormat
import ModelPublishing

/// `martlet publish`: a folder from which models are downloaded.
struct PublishCommand {
  let paths: [String]
  let names: [String]
  let project: String
  let output: String
  let baseURL: String?
  let listen: String
  let console: any Console

  static let description = CommandDescription(
    "publish", "Write the files of a host for models of one's own.",
    discussion: """
      The folder receives the models under their SHA-256, one JSON document for each as the \
      protocol of Firebase ML has it, SHA256SUMS, and once an nginx.conf. Models that it has \
      already stay. Clients see all of the old state until nginx is told, and then all of the \
      new: nginx -p DIR -c nginx.conf -s reload.
      """,
    arguments: [
      ArgumentDescription(
        "model", "Model files.", isRepeated: true, completion: .files(["tflite", "lite"]))
    ],
    options: [
      .value("output", letter: "o", "dir", "The folder.", completion: .folders),
      .value("project", "p", "The project that the models belong to."),
      .value("name", "n", "The model's name.", defaultValue: "the file's, without extension"),
      .value(
        "base-url", "url",
        "Where clients reach the folder; Firebase's own clients need it.",
        defaultValue: "addresses without a host"),
      .value(
        "listen", "address", "Where nginx listens, in a new nginx.conf.",
        defaultValue: defaultListen),
      .json,
    ]
  ) { arguments, console throws(CommandError) in
    try PublishCommand(arguments, console).run(printsJSON: arguments.flag("json"))
  }

  private static let defaultListen = "127.0.0.1:8080"

  private init(_ arguments: ParsedArguments, _ console: any Console) throws(CommandError) {
    self.console = console
    paths = arguments.allArguments("model")
    guard let output = arguments.value("output"), !output.isEmpty else {
      throw arguments.usage("missing option '--output'")
    }
    self.output = output
    guard let project = arguments.value("project") else {
      throw arguments.usage("missing option '--project'")
    }
    self.project = project
    if let name = arguments.value("name") {
      guard paths.count == 1 else {
        throw arguments.usage("'--name' names one model, but there are \(paths.count)")
      }
      names = [name]
    } else {
      names = paths.map { Self.name(of: $0) }
    }
    for name in names + [project] where !PublishedModel.isName(name) {
      throw arguments.usage(
        "'\(name)' is no name for a host, wanted up to 100 letters, digits, '.', '_' and '-'",
        hint: "--name gives a model a name other than its file's")
    }
    guard Set(names).count == names.count else {
      throw arguments.usage("two of the models have the same name")
    }
    baseURL = arguments.value("base-url")
    if let baseURL, !PublishedModel.isBaseURL(baseURL) {
      throw arguments.usage("'\(baseURL)' for '--base-url', wanted an https or http address")
    }
    listen = arguments.value("listen") ?? Self.defaultListen
    guard !listen.isEmpty, !listen.contains(where: { " \t\r\n;{}\"'$#\\".contains($0) }) else {
      throw arguments.usage("'\(listen)' for '--listen', wanted an address and a port")
    }
  }

  /// The last part of a path without its extension.
  private static func name(of path: String) -> String {
    let file = Folder.lastName(of: path)
    for ending in [".tflite", ".lite"] where file.lowercased().hasSuffix(ending) {
      return String(file.dropLast(ending.count))
    }
    return file
  }

  private func run(printsJSON: Bool) throws(CommandError) -> ExitCode {
    var models: [HostTree.Model] = []
    for (path, name) in zip(paths, names) {
      let bytes = try console.read(path)
      do throws(ModelError) { _ = try ModelFile(parsing: bytes.span, limits: console.limits) } catch
      {
        throw .inference(InferenceError(.model(error)), model: path)
      }
      models.append(HostTree.Model(name: name, bytes: bytes))
    }
    let published: [PublishedModel]
    let tree = HostTree(path: output)
    do throws(HostingError) {
      published = try tree.publish(
        models, project: project, baseURL: baseURL, listen: listen)
    } catch {
      throw .host(error, location: output)
    }
    try printsJSON ? console.print(json(published)) : console.print(text(published))
    if tree.hasEarlierConfiguration {
      console.note(
        "warning: \(output)/nginx.conf is of an earlier version, which serves new files with old "
          + "hashes until nginx is reloaded\nhint: remove it and publish again to have a new one\n")
    }
    return .success
  }

  private func text(_ models: [PublishedModel]) -> String {
    models.map { model in
      "\(project)/\(model.name)  \(model.size) bytes\n  SHA-256 \(model.sha256)"
    }.joined(separator: "\n")
  }

  private func json(_ models: [PublishedModel]) -> JSON {
    JSON.record([
      "schema": "martlet/publish/1", "output": .string(output), "project": .string(project),
      "models": .array(
        models.map { model in
          .record([
            "name": .string(model.name), "size": .integer(model.size),
            "sha256": .string(model.sha256), "file": .string(model.file),
          ])
        }),
    ])
  }
}
