// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The folder on disk with downloaded models.
///
///     fbml_model@@app@@name.tflite    the model: a name of the file in blobs
///     fbml_model@@app@@name.json      its record: hash, size, SHA-256, source
///     blobs/<sha256>                  what was downloaded, under the SHA-256 of its bytes
///     partial/<key>.part, .json       what is being downloaded, and how to go on
///     locks/…                         who is at work
///
/// Every name but those under `partial` is taken by a rename, after the bytes are on the disk:
/// at no moment is there half a file. The model and its blob are one file with two names (hard
/// links; a copy where the file system has none), which is never written to again. Processes
/// share a folder safely.
public struct ModelStore: Hashable, Sendable {
  /// The app whose models are meant where none is named.
  public static let defaultApp = "__FIRAPP_DEFAULT"

  /// The environment variable that names the folder.
  public static let environmentVariable = StoreFolder.environmentVariable

  /// The folder that is used where none is named.
  ///
  /// The environment variable `MARTLET_MODEL_CACHE`; else
  /// `com.firebase.FirebaseMLModelDownloader` in `XDG_DATA_HOME` or `~/.local/share`, which is
  /// the Application Support folder of Linux.
  public static var defaultRoot: String {
    if let root = variable(environmentVariable) { return root }
    // The specification of XDG_DATA_HOME says to pass over relative paths.
    let data =
      variable("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? (variable("HOME") ?? "/tmp") + "/.local/share"
    return data + "/com.firebase.FirebaseMLModelDownloader"
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// The folder, as an absolute path.
  public let root: String
  /// The app whose models these are.
  public let app: String

  /// The models of an app in a folder, which is made when it is first needed.
  public init(root: String = ModelStore.defaultRoot, app: String = ModelStore.defaultApp) {
    self.root = root.hasPrefix("/") ? root : Self.workingFolder + "/" + root
    self.app = app
  }

  /// The process's folder now; what is relative to it must not move when that changes.
  private static var workingFolder: String {
    guard let path = unsafe getcwd(nil, 0) else { return "." }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  var folder: StoreFolder { StoreFolder(path: root) }
  var blobs: StoreFolder { StoreFolder(path: root + "/blobs") }
  var partials: StoreFolder { StoreFolder(path: root + "/partial") }
  var locks: StoreFolder { StoreFolder(path: root + "/locks") }

  /// The path that the model called `name` has, or will have.
  public func path(of name: String) throws(HostingError) -> String {
    folder.path(of: try ModelFileName(name, app: app).model)
  }

  /// The model called `name`; nil where there is none, or only a damaged one.
  ///
  /// - Parameters:
  ///   - name: the model's name.
  ///   - verifying: whether the file's SHA-256 is computed; its size always is checked.
  /// - Returns: the model, with the path of its file.
  /// - Throws: `HostingError` where the name cannot be one.
  public func model(_ name: String, verifying: Bool = true) throws(HostingError) -> CustomModel? {
    let file = try ModelFileName(name, app: app)
    return copy(file, verifying: verifying).map { model($0) }
  }

  /// All models of the app, without those that are damaged as their sizes tell.
  public func models() throws(DownloadedModelError) -> Set<CustomModel> {
    do throws(HostingError) {
      let files = try folder.names().compactMap { ModelFileName(file: $0, app: app) }
      return Set(files.compactMap { copy($0, verifying: false) }.map { model($0) })
    } catch {
      throw .fileIOError(description: error.message)
    }
  }

  /// Deletes the model called `name`, and its bytes where no other model has the same.
  ///
  /// Whoever has the file open or mapped keeps it.
  ///
  /// - Throws: `DownloadedModelError.notFound` where there is none.
  public func delete(_ name: String) throws(DownloadedModelError) {
    let file: ModelFileName
    do throws(HostingError) { file = try ModelFileName(name, app: app) } catch { throw .notFound }
    do throws(HostingError) {
      let sha256 = record(file)?.sha256
      let hadRecord = try folder.remove(file.record)
      _ = try folder.remove(file.nextRecord)
      let hadModel = try folder.remove(file.model)
      if let sha256 { removeUnusedBlob(sha256) }
      guard hadRecord || hadModel else { throw HostingError(.missingCopy, .store, "") }
    } catch {
      guard error.reason != .missingCopy else { throw .notFound }
      throw .fileIOError(description: error.message)
    }
  }

  private func model(_ record: ModelRecord) -> CustomModel {
    // A record that could be read is one whose name made a path.
    let path = (try? path(of: record.name)) ?? root
    return CustomModel(name: record.name, size: record.size, path: path, hash: record.hash)
  }
}
