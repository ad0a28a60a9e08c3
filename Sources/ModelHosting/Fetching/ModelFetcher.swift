// SPDX-License-Identifier: Apache-2.0

/// Downloads models from a host into a store, and gives those that are there.
///
/// However many ask for a model, it is downloaded once: callers in a process share one download,
/// and processes wait for each other. A download that was interrupted, whether by the network or
/// by `kill -9`, is resumed; the model on disk stays as it is until its successor is complete
/// and checked.
///
/// The only requests are the host's question for the latest version and the one for the file.
public final class ModelFetcher: Sendable {
  /// Takes how much of a download is done, from 0 to 1.
  public typealias ProgressHandler = @Sendable (Float) -> Void

  /// Where models come from.
  public let host: any ModelHost
  /// Where models go to.
  public let store: ModelStore
  /// The limits that requests have.
  public let options: Options
  private let transport: any HTTPTransport
  private let flights = Flights()

  /// A fetcher of a host's models.
  public convenience init(
    host: any ModelHost, store: ModelStore = ModelStore(), options: Options = Options()
  ) {
    self.init(host: host, store: store, options: options, transport: defaultTransport())
  }

  package init(
    host: any ModelHost, store: ModelStore, options: Options, transport: any HTTPTransport
  ) {
    self.host = host
    self.store = store
    self.options = options
    self.transport = transport
  }

  /// The model called `name`.
  ///
  /// Cancelling the task that waits ends the download, unless others wait for it too; what has
  /// arrived is kept.
  ///
  /// - Parameters:
  ///   - name: the name by which the host knows the model.
  ///   - type: which version is wanted.
  ///   - conditions: under which circumstances it may be downloaded.
  ///   - progress: takes how much of the file has arrived, in no particular thread; not called
  ///     where there is nothing to download.
  /// - Returns: the model, whose file is on disk.
  /// - Throws: `HostingError`; its `downloadError` has Firebase's cases.
  public func fetch(
    name: String, type: ModelDownloadType = .latestModel,
    conditions: ModelDownloadConditions = ModelDownloadConditions(),
    progress: ProgressHandler? = nil
  ) async throws(HostingError) -> CustomModel {
    let file = try ModelFileName(name, app: store.app)
    let job: Flights.Job = { [self] (report) async throws(HostingError) in
      try await FetchJob(
        file: file, host: host, store: store, options: options,
        client: client(for: conditions), report: report
      ).run()
    }
    switch type {
    case .latestModel: break
    case .localModel:
      if let model = try store.model(name) { return model }
    case .localModelUpdateInBackground:
      guard let model = try store.model(name) else { break }
      flights.start(file.stem, job)
      return model
    }
    return try await flights.join(file.stem, progress: progress, job)
  }

  /// The model called `name` that is on disk, checked; nil where there is none.
  ///
  /// Makes no request.
  public func localModel(name: String) throws(HostingError) -> CustomModel? {
    try store.model(name)
  }

  /// All models on disk.
  public func downloadedModels() throws(DownloadedModelError) -> Set<CustomModel> {
    try store.models()
  }

  /// Deletes a model from the disk.
  ///
  /// - Throws: `DownloadedModelError.notFound` where there is none.
  public func delete(name: String) throws(DownloadedModelError) {
    try store.delete(name)
  }

  private func client(for conditions: ModelDownloadConditions) -> HostClient {
    HostClient(
      transport: transport, policy: AddressPolicy(allowsPlainHTTP: options.allowsPlainHTTP),
      retries: RetryPolicy(
        maximumAttempts: options.maximumAttempts, backOff: options.backOff,
        longestPause: options.longestPause),
      maximumRedirects: options.maximumRedirects, idleTimeout: options.idleTimeout,
      allowsCellularAccess: conditions.allowsCellularAccess, deadline: .now + options.deadline)
  }
}
