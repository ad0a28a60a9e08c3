// SPDX-License-Identifier: Apache-2.0

import JSONDocuments
import ModelHosting

/// `martlet fetch`: a model from a host, and where it is now.
struct FetchCommand {
  let name: String
  let host: any ModelHost
  let address: String
  let store: ModelStore
  let options: ModelFetcher.Options
  let isOffline: Bool
  let console: any Console

  static let description = CommandDescription(
    "fetch", "Download a model from a host, and print the path of its file.",
    discussion: """
      What is on disk and still the host's latest version is not downloaded again. A download \
      that was interrupted goes on where it stopped, and the older file stays until the new one \
      is complete and checked.

      A host speaks the protocol of Firebase ML ('martlet publish' writes one), is a repository \
      in the layout of Hugging Face, whose token the variable HF_TOKEN may hold, or a folder \
      with NAME.tflite and NAME.tflite.sha256.
      """,
    arguments: [ArgumentDescription("name", "The model's name.")],
    options: [
      .value("host", "url", "The host's address.", defaultValue: "Firebase's or Hugging Face's"),
      .choice(
        "layout", ["firebase", "huggingface", "files"], "What kind of host it is.",
        defaultValue: "firebase"),
      .value("project", "p", "The project, of a host that speaks Firebase's protocol."),
      .value("api-key", "k", "The key of the project."),
      .value("repository", "owner/name", "The repository, of a Hugging Face host."),
      .value("revision", "r", "The branch, tag or commit there.", defaultValue: "main"),
      .value(
        "cache", "dir", "The folder for models.",
        defaultValue: ModelStore.environmentVariable
          + ", else the user's data folder",
        completion: .folders),
      .value("timeout", "seconds", "The longest time for everything.", defaultValue: "600"),
      .flag("offline", "Make no request: the model on disk, if it is there and intact."),
      .flag("allow-http", "Allow plain http to other machines, which anyone may listen to."),
      .json,
    ],
    isReading: false
  ) { arguments, console throws(CommandError) in
    try FetchCommand(arguments, console).run(printsJSON: arguments.flag("json"))
  }

  private init(_ arguments: ParsedArguments, _ console: any Console) throws(CommandError) {
    self.console = console
    name = try arguments.required("name")
    isOffline = arguments.flag("offline")
    var options = ModelFetcher.Options()
    options.allowsPlainHTTP = arguments.flag("allow-http")
    if let seconds = try arguments.number("timeout") {
      guard seconds > 0, seconds <= 1e6 else {
        throw arguments.usage("'\(seconds)' for '--timeout', wanted seconds from 0 to 1000000")
      }
      options.deadline = .seconds(seconds)
    }
    self.options = options
    if arguments.value("cache") == "" {
      throw arguments.usage("'' for '--cache', wanted a folder")
    }
    store = ModelStore(root: arguments.value("cache") ?? ModelStore.defaultRoot)
    (host, address) = try Self.host(arguments, console)
    guard AddressPolicy(allowsPlainHTTP: options.allowsPlainHTTP).allows(address) else {
      throw arguments.usage(
        "'\(address)' for '--host', wanted an https address, or http to this machine",
        hint: "--allow-http allows plain http to other machines")
    }
  }

  /// The host that the options describe, and its address.
  private static func host(
    _ arguments: ParsedArguments, _ console: any Console
  ) throws(CommandError) -> (any ModelHost, String) {
    let given = arguments.value("host")
    switch arguments.value("layout") {
    case "huggingface":
      guard let repository = arguments.value("repository") else {
        throw arguments.usage("missing option '--repository'")
      }
      let endpoint = given ?? HuggingFaceHost.defaultEndpoint
      return (
        HuggingFaceHost(
          endpoint: endpoint, repository: repository,
          revision: arguments.value("revision") ?? "main", token: console.environment("HF_TOKEN")),
        endpoint
      )
    case "files":
      guard let given else { throw arguments.usage("missing option '--host'") }
      return (StaticFileHost(baseURL: given), given)
    case _:
      guard let project = arguments.value("project") else {
        throw arguments.usage("missing option '--project'")
      }
      let base = given ?? FirebaseMLHost.defaultBaseURL
      return (
        FirebaseMLHost(baseURL: base, project: project, apiKey: arguments.value("api-key")), base
      )
    }
  }

  private func run(printsJSON: Bool) throws(CommandError) -> ExitCode {
    let model: CustomModel
    do throws(HostingError) {
      _ = try store.path(of: name)
      model = try isOffline ? local() : download()
    } catch {
      throw .host(error, location: "\(name) at \(address)")
    }
    guard printsJSON else {
      try console.print(model.path)
      return .success
    }
    try console.print(
      JSON.record([
        "schema": "martlet/fetch/1", "name": .string(model.name), "path": .string(model.path),
        "size": .integer(model.size), "hash": .string(model.hash),
        "sha256": store.sha256(of: model.name).map { .string($0) },
      ]))
    return .success
  }

  private func local() throws(HostingError) -> CustomModel {
    if let model = try store.model(name) { return model }
    throw HostingError(.status(404), .store, "there is no intact copy on disk")
  }

  private func download() throws(HostingError) -> CustomModel {
    let fetcher = ModelFetcher(host: host, store: store, options: options)
    guard console.showsProgress else {
      return try fetcher.fetchBlocking(name: name, type: .latestModel)
    }
    var isShown = false
    // The line is cleared, whatever comes after it.
    defer { if isShown { console.note("\r\u{1B}[K") } }
    return try fetcher.fetchBlocking(name: name, type: .latestModel) { fraction in
      isShown = true
      console.note("\r\(name) \(Int(fraction * 100)) %")
    }
  }
}
