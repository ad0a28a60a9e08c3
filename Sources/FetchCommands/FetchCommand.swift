// SPDX-License-Identifier: Apache-2.0

import JSONDocuments
import Martlet
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

  /// Does what a command line asks for.
  static func run(
    _ arguments: ParsedArguments, _ console: any Console
  ) throws(CommandError) -> ExitCode {
    if arguments.flag("version") {
      try console.print(Engine.version)
      return .success
    }
    return try FetchCommand(arguments, console).run(printsJSON: arguments.flag("json"))
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
