// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What identifies an app to Firebase: the content of a `GoogleService-Info.plist`.
public final class FirebaseOptions: NSObject, NSCopying {
  /// The identifier of the app (`GOOGLE_APP_ID`).
  public var googleAppID: String
  /// The number of the project (`GCM_SENDER_ID`).
  public var gcmSenderID: String
  /// The key of the project's interfaces (`API_KEY`).
  public var apiKey: String?
  /// The identifier of the project (`PROJECT_ID`).
  public var projectID: String?
  /// The identifier of the program (`BUNDLE_ID`); its own unless set.
  public var bundleID: String {
    get { chosenBundleID ?? Bundle.main.bundleIdentifier ?? "" }
    set { chosenBundleID = newValue }
  }
  /// The identifier for signing in (`CLIENT_ID`).
  public var clientID: String?
  /// The address of the database (`DATABASE_URL`).
  public var databaseURL: String?
  /// The bucket of the storage (`STORAGE_BUCKET`).
  public var storageBucket: String?
  /// The group of apps that share files.
  public var appGroupID: String?
  /// Where models are downloaded from (`MODEL_HOST_URL`): a host of one's own that speaks the
  /// protocol of Firebase ML; nil for Google's (an addition).
  public var modelHostURL: String?

  private var chosenBundleID: String?

  /// The options of an app.
  public init(googleAppID: String, gcmSenderID: String) {
    self.googleAppID = googleAppID
    self.gcmSenderID = gcmSenderID
  }

  /// The options in a property list; nil where the file cannot be read or lacks the app's
  /// identifier.
  public convenience init?(contentsOfFile path: String) {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)),
      let list = try? unsafe PropertyListSerialization.propertyList(from: data, format: nil),
      let entries = list as? [String: Any], let appID = entries["GOOGLE_APP_ID"] as? String
    else { return nil }
    func text(_ key: String) -> String? { entries[key] as? String }
    self.init(googleAppID: appID, gcmSenderID: text("GCM_SENDER_ID") ?? "")
    apiKey = text("API_KEY")
    projectID = text("PROJECT_ID")
    chosenBundleID = text("BUNDLE_ID")
    clientID = text("CLIENT_ID")
    databaseURL = text("DATABASE_URL")
    storageBucket = text("STORAGE_BUCKET")
    modelHostURL = text("MODEL_HOST_URL")
  }

  /// The options in `GoogleService-Info.plist` among the program's resources; nil without one.
  ///
  /// On Linux that is the folder of the executable.
  public class func defaultOptions() -> FirebaseOptions? {
    defaultFile.flatMap { FirebaseOptions(contentsOfFile: $0) }
  }

  /// The file of the default options; nil where there is none.
  static var defaultFile: String? {
    Bundle.main.path(forResource: fileName, ofType: fileType)
  }

  /// Why there are no default options, and where they would be looked for.
  static var missingDefault: String {
    if let defaultFile { return "\(defaultFile) is no property list with GOOGLE_APP_ID" }
    let folders = [Bundle.main.resourcePath, Bundle.main.bundlePath].compactMap(\.self)
    var paths: [String] = []
    for path in folders.map({ "\($0)/\(fileName).\(fileType)" }) where !paths.contains(path) {
      paths.append(path)
    }
    return "there is no \(paths.joined(separator: ", nor "))"
  }

  private static let (fileName, fileType) = ("GoogleService-Info", "plist")

  /// The same options, which may be changed without changing these.
  public func copy(with zone: NSZone? = nil) -> Any { duplicate }

  var duplicate: FirebaseOptions {
    let options = FirebaseOptions(googleAppID: googleAppID, gcmSenderID: gcmSenderID)
    options.apiKey = apiKey
    options.projectID = projectID
    options.chosenBundleID = chosenBundleID
    options.clientID = clientID
    options.databaseURL = databaseURL
    options.storageBucket = storageBucket
    options.appGroupID = appGroupID
    options.modelHostURL = modelHostURL
    return options
  }
}
