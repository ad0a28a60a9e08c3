// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Synchronization

extension NSNotification.Name {
  /// Posted when an app was deleted; its name is under `FIRAppNameKey`.
  static let firebaseAppDeleted = NSNotification.Name("FIRAppDeleteNotification")
}

/// An app as Firebase knows it: the options that its parts share.
public final class FirebaseApp: NSObject, @unchecked Sendable {
  /// The name of the app; `__FIRAPP_DEFAULT` for the default one.
  public let name: String
  /// What identifies the app: a copy.
  public var options: FirebaseOptions { settings.duplicate }

  /// Never changed.
  private let settings: FirebaseOptions
  static let defaultName = "__FIRAPP_DEFAULT"
  private static let apps = Mutex<[String: FirebaseApp]>([:])
  private let collectsData = Mutex(true)

  private init(name: String, options: FirebaseOptions) {
    self.name = name
    settings = options.duplicate
  }

  /// Kept for programs that set it; nothing here collects data.
  public var isDataCollectionDefaultEnabled: Bool {
    get { collectsData.withLock { $0 } }
    set { collectsData.withLock { $0 = newValue } }
  }

  /// Makes the default app from `GoogleService-Info.plist` among the program's resources: in the
  /// folder of the executable.
  ///
  /// Where the original raises an exception, because there is no such file, a line on standard
  /// error names the paths that were tried, and no app is made: what needs one then delivers an
  /// error.
  public class func configure() {
    guard let options = FirebaseOptions.defaultOptions() else {
      report("FirebaseApp.configure() makes no app: \(FirebaseOptions.missingDefault)")
      return
    }
    configure(options: options)
  }

  private static func report(_ problem: String) {
    FileHandle.standardError.write(Data("martlet: \(problem)\n".utf8))
  }

  /// Makes the default app.
  public class func configure(options: FirebaseOptions) {
    configure(name: defaultName, options: options)
  }

  /// Makes an app.
  ///
  /// Where the original raises an exception, because the name has other characters than letters,
  /// digits, `-` and `_` or is taken, a line on standard error says so, and nothing else happens.
  public class func configure(name: String, options: FirebaseOptions) {
    let allowed = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      case _: false
      }
    }
    guard allowed, !name.isEmpty else {
      report("no app can be called '\(name)'; letters, digits, '-' and '_' make a name")
      return
    }
    let isNew = apps.withLock { apps in
      guard apps[name] == nil else { return false }
      apps[name] = FirebaseApp(name: name, options: options)
      return true
    }
    if !isNew { report("there is an app \(name) already, which stays as it is") }
  }

  /// The default app; nil before it is configured.
  public class func app() -> FirebaseApp? { app(name: defaultName) }

  /// The app of a name; nil before it is configured.
  public class func app(name: String) -> FirebaseApp? { apps.withLock { $0[name] } }

  /// All apps by name; nil where there is none.
  public class var allApps: [String: FirebaseApp]? {
    apps.withLock { $0.isEmpty ? nil : $0 }
  }

  /// Forgets the app; `completion` is told whether it was there.
  public func delete(_ completion: @escaping (Bool) -> Void) {
    let wasThere = Self.apps.withLock { $0.removeValue(forKey: name) != nil }
    if wasThere {
      ModelHosts.forget(app: name)
      ModelDownloader.forget(app: name)
      NotificationCenter.default.post(
        name: .firebaseAppDeleted, object: nil, userInfo: ["FIRAppNameKey": name])
    }
    completion(wasThere)
  }

  /// Forgets the app.
  ///
  /// - Returns: whether it was there.
  public func delete() async -> Bool {
    await withCheckedContinuation { done in delete { done.resume(returning: $0) } }
  }
}
