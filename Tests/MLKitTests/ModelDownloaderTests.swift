// SPDX-License-Identifier: Apache-2.0

import Foundation
import MLKit
import Synchronization
import TestSupport
import Testing

/// Model downloader and apps.
@Suite struct ModelDownloaderTests {
  private func makeApp(_ name: String) throws -> FirebaseApp {
    FirebaseApp.configure(
      name: name, options: FirebaseOptions(googleAppID: "1:2:ios:3", gcmSenderID: "2"))
    return try #require(FirebaseApp.app(name: name))
  }

  @Test func `an app has one downloader and one manager as long as it is not deleted`() async throws
  {
    let app = try makeApp("instances")
    let downloader = ModelDownloader.modelDownloader(app: app)
    #expect(ModelDownloader.modelDownloader(app: app) === downloader)
    #expect(ModelManager.modelManager(app: app) === ModelManager.modelManager(app: app))
    let heard = Mutex<[String]>([])
    let observer = NotificationCenter.default.addObserver(
      forName: NSNotification.Name("FIRAppDeleteNotification"), object: nil, queue: nil
    ) { notification in
      guard let name = notification.userInfo?["FIRAppNameKey"] as? String else { return }
      heard.withLock { $0.append(name) }
    }
    #expect(await app.delete())
    #expect(await !app.delete())
    NotificationCenter.default.removeObserver(observer)
    #expect(heard.withLock { $0.filter { $0 == "instances" } } == ["instances"])
    #expect(FirebaseApp.app(name: "instances") == nil)
    let again = try makeApp("instances")
    #expect(ModelDownloader.modelDownloader(app: again) !== downloader)
  }

  @Test(arguments: ["", "a b", "é"])
  func `names of apps have letters, digits, hyphens and underscores`(name: String) {
    FirebaseApp.configure(
      name: name, options: FirebaseOptions(googleAppID: "1", gcmSenderID: "2"))
    #expect(FirebaseApp.app(name: name) == nil)
  }

  @Test func `an app keeps the options as they were when it was configured`() throws {
    let options = FirebaseOptions(googleAppID: "1", gcmSenderID: "2")
    options.projectID = "before"
    FirebaseApp.configure(name: "copied", options: options)
    options.projectID = "after"
    let app = try #require(FirebaseApp.app(name: "copied"))
    #expect(app.options.projectID == "before")
    app.options.projectID = "later"
    #expect(app.options.projectID == "before")
    #expect(FirebaseApp.allApps?["copied"] === app)
  }

  @Test func `options come from a property list`() throws {
    let path = NSTemporaryDirectory() + "martlet-\(UUID().uuidString).plist"
    let entries = [
      "GOOGLE_APP_ID": "1:5:ios:7", "GCM_SENDER_ID": "5", "API_KEY": "key", "PROJECT_ID": "flowers",
      "BUNDLE_ID": "org.example.flowers", "MODEL_HOST_URL": "https://models.example.org",
    ]
    let data = try PropertyListSerialization.data(
      fromPropertyList: entries, format: .xml, options: 0)
    try data.write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let options = try #require(FirebaseOptions(contentsOfFile: path))
    #expect(options.googleAppID == "1:5:ios:7")
    #expect(options.gcmSenderID == "5")
    #expect(options.apiKey == "key")
    #expect(options.projectID == "flowers")
    #expect(options.bundleID == "org.example.flowers")
    #expect(options.modelHostURL == "https://models.example.org")
    #expect(options.databaseURL == nil)
    #expect(FirebaseOptions(contentsOfFile: "/no/such.plist") == nil)
    #expect(FirebaseOptions(contentsOfFile: #filePath) == nil)
  }

  @Test func `an app that cannot be made is told on standard error, with what was tried`() throws {
    let folder = Bundle.main.bundlePath
    let printed = try StandardError.printed {
      FirebaseApp.configure()
      FirebaseApp.configure(
        name: "no name", options: FirebaseOptions(googleAppID: "1", gcmSenderID: "2"))
    }
    #expect(FirebaseApp.app() == nil)
    #expect(printed.contains("FirebaseApp.configure() makes no app: there is no "))
    #expect(printed.contains("\(folder)/GoogleService-Info.plist"), "\(printed)")
    #expect(printed.contains("no app can be called 'no name'"))
  }

  @Test func `an empty name fails before anything else, and a host is needed for all others`()
    async throws
  {
    let downloader = ModelDownloader.modelDownloader(app: try makeApp("no-project"))
    await #expect(throws: DownloadError.emptyModelName) {
      try await downloader.getModel(name: "", downloadType: .latestModel)
    }
    let missing = DownloadError.internalError(
      description: "Firebase app no-project not configured.")
    await #expect(throws: missing) {
      try await downloader.getModel(name: "flowers", downloadType: .localModel)
    }
  }

  @Test func `lists are delivered before the call returns; nothing is there to delete`()
    async throws
  {
    let downloader = ModelDownloader.modelDownloader(app: try makeApp("lists"))
    let found = Mutex<Set<CustomModel>?>(nil)
    downloader.listDownloadedModels { result in found.withLock { $0 = try? result.get() } }
    #expect(found.withLock { $0 } == [])
    #expect(try await downloader.listDownloadedModels() == [])
    await #expect(throws: DownloadedModelError.notFound) {
      try await downloader.deleteDownloadedModel(name: "flowers")
    }
    for name in ["../escape", "a/b", "", "\0"] {
      await #expect(throws: DownloadedModelError.self) {
        try await downloader.deleteDownloadedModel(name: name)
      }
    }
  }

  @Test func `conditions have the defaults of all three generations`() {
    let conditions = ModelDownloadConditions()
    #expect(conditions.allowsCellularAccess)
    #expect(!conditions.allowsBackgroundDownloading)
    #expect(!ModelDownloadConditions(allowsCellularAccess: false).allowsCellularAccess)
  }

  @Test func `the model manager says that a model is not there, with the generation's domain`()
    async throws
  {
    let manager = ModelManager.modelManager()
    let models: [(RemoteModel, String)] = [
      (CustomRemoteModel(name: "absent-model"), FirebaseMLErrorDomain),
      (AutoMLRemoteModel(name: "absent-model"), FirebaseMLErrorDomain),
      (
        CustomRemoteModel(remoteModelSource: FirebaseModelSource(name: "absent-model")),
        MLKitErrorDomain
      ),
    ]
    for (model, domain) in models {
      #expect(model.name == "absent-model")
      #expect(!manager.isModelDownloaded(model))
      do {
        try await manager.deleteDownloadedModel(model)
        Issue.record("a model that is not there was deleted")
      } catch {
        #expect((error as NSError).domain == domain)
        #expect((error as NSError).code == MLKitErrorCode.notFound.rawValue)
      }
    }
    await #expect(throws: NSError.self) {
      try await manager.getLatestModelFilePath(CustomRemoteModel(name: "absent-model"))
    }
  }
}
