// SPDX-License-Identifier: Apache-2.0

public import ModelHosting
import Synchronization

/// Downloads custom models: the names of FirebaseMLModelDownloader.
///
/// ```swift
/// ModelDownloader.modelDownloader().getModel(
///   name: "flowers", downloadType: .latestModel, conditions: ModelDownloadConditions()
/// ) { result in … }
/// ```
///
/// Unlike the original's, downloads are checked before they are used, resumed where they broke
/// off, and shared by programs; see `ModelFetcher`.
public final class ModelDownloader: Sendable {
  private let appName: String
  private static let downloaders = Mutex<[String: ModelDownloader]>([:])

  private init(appName: String) { self.appName = appName }

  /// The downloader of the default app's models.
  ///
  /// Where the original stops the program, because no app is configured, calls deliver an error.
  public static func modelDownloader() -> ModelDownloader {
    downloader(of: FirebaseApp.defaultName)
  }

  /// The downloader of an app's models, the same as long as the app is not deleted.
  public static func modelDownloader(app: FirebaseApp) -> ModelDownloader {
    downloader(of: app.name)
  }

  private static func downloader(of name: String) -> ModelDownloader {
    downloaders.withLock { downloaders in
      let downloader = downloaders[name] ?? ModelDownloader(appName: name)
      downloaders[name] = downloader
      return downloader
    }
  }

  /// Makes the next call for the app give a new downloader.
  static func forget(app name: String) {
    downloaders.withLock { $0[name] = nil }
  }

  /// Gets a model.
  ///
  /// - Parameters:
  ///   - name: the name by which the host knows the model.
  ///   - downloadType: which version is wanted.
  ///   - conditions: under which circumstances it may be downloaded.
  ///   - progressHandler: takes how much has arrived, from 0 to 1, on the completion queue.
  ///   - completion: gets the model or the error, on the completion queue.
  public func getModel(
    name: String, downloadType: ModelDownloadType, conditions: ModelDownloadConditions,
    progressHandler: ((Float) -> Void)? = nil,
    completion: @escaping (Result<CustomModel, DownloadError>) -> Void
  ) {
    let handlers = Handlers(progress: progressHandler, completion: completion)
    Task {
      let outcome: Result<CustomModel, DownloadError>
      do throws(DownloadError) {
        outcome = .success(
          try await model(name, downloadType, conditions) { part in
            guard let progress = handlers.progress else { return }
            MLKitSettings.complete { progress(part) }
          })
      } catch {
        outcome = .failure(error)
      }
      MLKitSettings.complete { handlers.completion(outcome) }
    }
  }

  /// The originals take handlers that are not Sendable; each is called where completion handlers run.
  private struct Handlers: @unchecked Sendable {
    let progress: ((Float) -> Void)?
    let completion: (Result<CustomModel, DownloadError>) -> Void
  }

  /// Gets a model (an addition).
  ///
  /// - Throws: `DownloadError`.
  public func getModel(
    name: String, downloadType: ModelDownloadType,
    conditions: ModelDownloadConditions = ModelDownloadConditions()
  ) async throws(DownloadError) -> CustomModel {
    try await model(name, downloadType, conditions, progress: nil)
  }

  private func model(
    _ name: String, _ type: ModelDownloadType, _ conditions: ModelDownloadConditions,
    progress: ModelFetcher.ProgressHandler?
  ) async throws(DownloadError) -> CustomModel {
    guard !name.isEmpty else { throw .emptyModelName }
    guard let fetcher = ModelHosts.fetcher(ofApp: appName) else {
      throw .internalError(description: ModelHosts.missingApp(appName))
    }
    do throws(HostingError) {
      return try await fetcher.fetch(
        name: name, type: type, conditions: conditions, progress: progress)
    } catch {
      throw error.downloadError
    }
  }

  /// Lists the models on disk.
  ///
  /// - Parameter completion: gets the models, on this thread before the call returns, or the error,
  ///   on the completion queue; so the original does it.
  public func listDownloadedModels(
    completion: @escaping (Result<Set<CustomModel>, DownloadedModelError>) -> Void
  ) {
    do throws(DownloadedModelError) {
      completion(.success(try ModelHosts.store(ofApp: appName).models()))
    } catch {
      MLKitSettings.complete { completion(.failure(error)) }
    }
  }

  /// Lists the models on disk (an addition).
  ///
  /// - Throws: `DownloadedModelError`.
  public func listDownloadedModels() async throws(DownloadedModelError) -> Set<CustomModel> {
    try ModelHosts.store(ofApp: appName).models()
  }

  /// Deletes a model from the disk.
  ///
  /// - Parameters:
  ///   - name: the model's name.
  ///   - completion: gets the outcome, `notFound` where there is no such model, on the completion
  ///     queue.
  public func deleteDownloadedModel(
    name: String, completion: @escaping (Result<Void, DownloadedModelError>) -> Void
  ) {
    let outcome: Result<Void, DownloadedModelError>
    do throws(DownloadedModelError) {
      outcome = .success(try ModelHosts.store(ofApp: appName).delete(name))
    } catch {
      outcome = .failure(error)
    }
    MLKitSettings.complete { completion(outcome) }
  }

  /// Deletes a model from the disk (an addition).
  ///
  /// - Throws: `DownloadedModelError.notFound` where there is no such model.
  public func deleteDownloadedModel(name: String) async throws(DownloadedModelError) {
    try ModelHosts.store(ofApp: appName).delete(name)
  }
}
