// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Martlet
public import ModelHosting
import Synchronization

/// Downloads remote models and keeps them.
public final class ModelManager: NSObject, @unchecked Sendable {
  private let appName: String
  private static let managers = Mutex<[String: ModelManager]>([:])

  private init(appName: String) { self.appName = appName }

  /// The manager of the default app's models.
  ///
  /// Where the original raises an exception, because no app is configured, downloads fail.
  public class func modelManager() -> ModelManager { manager(of: FirebaseApp.defaultName) }

  /// The manager of an app's models.
  public class func modelManager(app: FirebaseApp) -> ModelManager { manager(of: app.name) }

  private static func manager(of name: String) -> ModelManager {
    managers.withLock { managers in
      let manager = managers[name] ?? ModelManager(appName: name)
      managers[name] = manager
      return manager
    }
  }

  /// Whether a model is on disk, undamaged.
  public func isModelDownloaded(_ remoteModel: RemoteModel) -> Bool {
    (try? downloadedModel(remoteModel)) != nil
  }

  /// The model on disk; nil where there is none.
  func downloadedModel(_ remoteModel: RemoteModel) throws(NSError) -> CustomModel? {
    do throws(HostingError) {
      return try ModelHosts.store(ofApp: appName).model(remoteModel.name)
    } catch {
      throw remoteModel.generation.error(error)
    }
  }

  /// Downloads a model, or its newer version where there is one.
  ///
  /// The outcome is posted as a notification on the completion queue, with the model and the error
  /// under the keys of `ModelDownloadUserInfoKey`: `firebaseMLModelDownloadDid…` for models made
  /// with a name, `mlkitModelDownloadDid…` for those made with a source.
  ///
  /// - Parameters:
  ///   - remoteModel: the model.
  ///   - conditions: under which circumstances it may be downloaded.
  /// - Returns: how far the download is, in thousandths; cancelling it ends the download.
  @discardableResult
  public func download(
    _ remoteModel: RemoteModel, conditions: ModelDownloadConditions
  ) -> Progress {
    let progress = Progress(totalUnitCount: 1000)
    let task = Task {
      do throws(NSError) {
        _ = try await fetch(remoteModel, conditions) { part in
          progress.completedUnitCount = Int64((part * 1000).rounded(.down))
        }
        progress.completedUnitCount = 1000
        remoteModel.postDownload(error: nil)
      } catch {
        remoteModel.postDownload(error: error)
      }
    }
    progress.cancellationHandler = { task.cancel() }
    return progress
  }

  /// Downloads a model, or its newer version where there is one (an addition).
  ///
  /// - Returns: the path of the model's file.
  /// - Throws: `NSError`; no notification is posted.
  public func download(
    _ remoteModel: RemoteModel,
    conditions: ModelDownloadConditions = ModelDownloadConditions()
  ) async throws -> String {
    try await fetch(remoteModel, conditions, progress: nil).path
  }

  private func fetch(
    _ remoteModel: RemoteModel, _ conditions: ModelDownloadConditions,
    progress: ModelFetcher.ProgressHandler?
  ) async throws(NSError) -> CustomModel {
    guard let fetcher = ModelHosts.fetcher(ofApp: appName) else {
      throw remoteModel.generation.error(.failedPrecondition, ModelHosts.missingApp(appName))
    }
    do throws(HostingError) {
      return try await fetcher.fetch(
        name: remoteModel.name, type: .latestModel, conditions: conditions, progress: progress)
    } catch {
      throw remoteModel.generation.error(error)
    }
  }

  /// Deletes a model from the disk; that it was not there is an error.
  public func deleteDownloadedModel(
    _ remoteModel: RemoteModel, completion: @escaping ((any Error)?) -> Void
  ) {
    var outcome: NSError?
    do throws(DownloadedModelError) {
      try ModelHosts.store(ofApp: appName).delete(remoteModel.name)
    } catch {
      outcome =
        error == .notFound
        ? remoteModel.generation.error(
          .notFound, "The model \(remoteModel.name) is not downloaded.")
        : remoteModel.generation.error(.internal, "\(error)")
    }
    MLKitSettings.complete { [outcome] in completion(outcome) }
  }

  /// Deletes a model from the disk.
  ///
  /// - Throws: `NSError`; also where the model was not there.
  public func deleteDownloadedModel(_ remoteModel: RemoteModel) async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      deleteDownloadedModel(remoteModel) { error in
        if let error { done.resume(throwing: error) } else { done.resume() }
      }
    }
  }

  /// The path of the file of a downloaded model.
  public func getLatestModelFilePath(
    _ remoteModel: CustomRemoteModel, completion: @escaping (String?, (any Error)?) -> Void
  ) {
    do throws(NSError) {
      let path = try latestModelFilePath(remoteModel)
      MLKitSettings.complete { completion(path, nil) }
    } catch {
      MLKitSettings.complete { completion(nil, error) }
    }
  }

  /// The path of the file of a downloaded model.
  ///
  /// - Throws: `NSError` where it is not downloaded.
  public func getLatestModelFilePath(_ remoteModel: CustomRemoteModel) async throws -> String {
    try latestModelFilePath(remoteModel)
  }

  /// The path of the file of a downloaded model.
  func latestModelFilePath(_ remoteModel: RemoteModel) throws(NSError) -> String {
    guard let model = try downloadedModel(remoteModel) else {
      throw remoteModel.generation.error(
        .notFound, "The model \(remoteModel.name) is not downloaded.")
    }
    return model.path
  }
}

extension RemoteModel {
  fileprivate func postDownload(error: NSError?) {
    let name: NSNotification.Name
    switch (generation, error) {
    case (.firebase, nil): name = .firebaseMLModelDownloadDidSucceed
    case (.firebase, _): name = .firebaseMLModelDownloadDidFail
    case (.mlKit, nil): name = .mlkitModelDownloadDidSucceed
    case (.mlKit, _): name = .mlkitModelDownloadDidFail
    }
    var content: [String: Any] = [ModelDownloadUserInfoKey.remoteModel.rawValue: self]
    if let error { content[ModelDownloadUserInfoKey.error.rawValue] = error }
    MLKitSettings.complete { [content] in
      NotificationCenter.default.post(name: name, object: nil, userInfo: content)
    }
  }
}
