// SPDX-License-Identifier: Apache-2.0

import Compression
import Formatting

/// A folder that any web server can serve, nginx with the configuration in it, and from which
/// Firebase's clients and this one download.
///
///     nginx.conf                  written once; the administrator's from then on
///     current -> releases/<id>    what is offered; one rename switches to another release
///     releases/<id>/v1beta2/projects/<project>/models/<name>.json
///     releases/<id>/nginx.conf    the models' hashes, and which release nginx serves
///     releases/<id>/SHA256SUMS    for sha256sum -c; SHA256SUMS leads to the current one
///     blob/<sha256>/<name>.tflite never changed, and kept for clients that are downloading
///
/// A release's name is the hash of its content: to publish an older file again is to switch
/// back to the release that had it.
package struct HostTree {
  private let root: StoreFolder

  /// The tree in the folder at `path`, which is made where it is missing.
  package init(path: String) { root = StoreFolder(path: path) }

  /// A model that is to be published.
  package struct Model: Sendable {
    let name: String
    let bytes: [UInt8]

    /// The model in `bytes`, which the caller has checked.
    package init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// Adds models to the tree, or new versions of those that it has.
  ///
  /// - Parameters:
  ///   - models: the models; each name once.
  ///   - project: the project that they belong to.
  ///   - baseURL: where clients reach the tree; without it, addresses are paths on the host.
  ///   - listen: the address in nginx's configuration, where that is written.
  /// - Returns: what clients will find of these models.
  /// - Throws: `HostingError`; what is offered has not changed then.
  package func publish(
    _ models: [Model], project: String, baseURL: String?, listen: String
  ) throws(HostingError) -> [PublishedModel] {
    try root.create()
    let lock = try StoreFile(root.path(of: ".lock"), for: .locking)
    guard try lock.lock() else {
      throw HostingError(.storage, .store, "another process is publishing there")
    }
    defer { lock.unlock() }
    var published: [PublishedModel] = []
    for model in models {
      published.append(try write(model, project: project, baseURL: baseURL))
    }
    let others = try current().filter { old in
      !published.contains { $0.project == old.project && $0.name == old.name }
    }
    let all = (others + published).sorted { $0.uri < $1.uri }
    try requireDistinct(all)
    try activate(all)
    try writeConfiguration(listen)
    return published
  }

  /// Writes a model's file, unless it is there.
  private func write(
    _ model: Model, project: String, baseURL: String?
  ) throws(HostingError) -> PublishedModel {
    let result = PublishedModel(
      project: project, name: model.name, size: model.bytes.count,
      sha256: SHA256.hexadecimalDigest(model.bytes.span), baseURL: baseURL)
    let folder = StoreFolder(path: root.path(of: "blob/\(result.sha256)"))
    try folder.create()
    let name = "\(model.name).tflite"
    if let file = try? StoreFile(folder.path(of: name), for: .reading),
      (try? file.sha256()) == result.sha256
    {
      return result
    }
    try folder.write(model.bytes, to: name)
    return result
  }

  /// The models that are offered now.
  private func current() throws(HostingError) -> [PublishedModel] {
    let projects = StoreFolder(path: root.path(of: "current/v1beta2/projects"))
    var models: [PublishedModel] = []
    for project in try projects.names() where PublishedModel.isName(project) {
      let folder = StoreFolder(path: projects.path(of: "\(project)/models"))
      for file in try folder.names() where file.hasSuffix(".json") {
        let name = String(file.dropLast(5))
        let handle = try StoreFile(folder.path(of: file), for: .reading)
        let document = try handle.bytes(count: PublishedModel.documentLengthLimit)
        guard PublishedModel.isName(name),
          let model = PublishedModel(document: document, project: project, name: name)
        else {
          throw HostingError(
            .storage, .store, "no document of a published model: \(handle.path)")
        }
        models.append(model)
      }
    }
    return models
  }

  /// nginx looks names up without regard to case.
  private func requireDistinct(_ models: [PublishedModel]) throws(HostingError) {
    var uris: Set<String> = []
    for model in models {
      guard uris.insert(model.uri.lowercased()).inserted else {
        throw HostingError(
          .storage, .store, "there is a model whose name differs from \(model.name) only in case")
      }
    }
  }

  /// Writes a release and makes it the current one.
  private func activate(_ models: [PublishedModel]) throws(HostingError) {
    let hashes = models.map { "\($0.uri) \"\\\"\($0.sha256)\\\"\";\n" }.joined()
    let sums = models.map { "\($0.sha256)  \($0.file)\n" }.joined()
    let content = Array((hashes + sums).utf8) + models.flatMap(\.document)
    let identifier = SHA256.hexadecimalDigest(content.span).prefix(16)
    let release = StoreFolder(path: root.path(of: "releases/\(identifier)"))
    try release.create()
    for model in models {
      let folder = StoreFolder(path: release.path(of: model.documentFolder))
      try folder.create()
      try folder.write(model.document, to: "\(model.name).json")
    }
    // One file has both, so that nginx reads them together: documents and hashes of one release.
    try release.write(
      Array(NginxConfiguration.release(String(identifier), hashes: hashes).utf8), to: "nginx.conf")
    try release.write(Array(hashes.utf8), to: Self.earlierMap)
    try release.write(Array(sums.utf8), to: "SHA256SUMS")
    try root.pointLink("current", at: "releases/\(identifier)")
    try root.pointLink("SHA256SUMS", at: "current/SHA256SUMS")
  }

  /// The hashes alone, as configurations of earlier versions include them.
  private static let earlierMap = "etags.map"

  /// Whether nginx's configuration is of an earlier version, which mixes the documents of a new
  /// release with the hashes of an old one until it is reloaded.
  package var hasEarlierConfiguration: Bool {
    guard let file = try? StoreFile(root.path(of: "nginx.conf"), for: .reading),
      let bytes = try? file.bytes(count: 1 << 20)
    else { return false }
    return String(decoding: bytes, as: UTF8.self)
      .contains(text: "include current/\(Self.earlierMap)")
  }

  private func writeConfiguration(_ listen: String) throws(HostingError) {
    try StoreFolder(path: root.path(of: "run")).create()
    guard StoreFile.status(of: root.path(of: "nginx.conf")) == nil else { return }
    try root.write(Array(NginxConfiguration.text(listen: listen).utf8), to: "nginx.conf")
  }
}
