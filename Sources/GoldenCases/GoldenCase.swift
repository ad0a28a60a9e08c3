// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
internal import JSONDocuments
public import Npy
public import Tensors

/// Inputs of a model and the outputs that another engine computed from them, in a folder.
///
/// The folder holds `in_<i>.npy` and `out_<i>.npy` by position, or `in_<argument>.npy` and
/// `out_<result>.npy` where `case.json` names a signature; or bare bytes as `.raw` or `.bin`, or
/// archives `in.npz` and `out.npz` or `io.npz`. Instead of `case.json`, the folder above may hold
/// `cases.json`, an object with a member for each case. All of them may lie in a zip archive. The
/// model is the path in `case.json`, or `model.tflite` in the folder or the nearest one above.
/// Sub-folders `step1`, `step2`… are further invocations of the same interpreter.
public struct GoldenCase: Sendable {
  /// The folder.
  public let folder: String
  /// The model's file.
  public let model: String
  /// The SHA-256 digest of the model that the outputs come from, where the case tells it.
  public let modelDigest: String?
  /// The signature that runs; nil for the main graph.
  public let signature: String?
  /// The rounding that the outputs were computed with, where the case says so.
  public let rounding: Rounding?
  /// What outputs may be off by, by `out_<i>`; the empty name stands for all.
  public let tolerances: [String: Double]
  /// Shapes for inputs, by name.
  public let shapes: [(name: String, shape: Shape)]
  /// Where the outputs come from, as the case tells: names and words such as an engine's version.
  public let provenance: [(name: String, word: String)]
  /// The folders of all invocations in order, this one first.
  public let steps: [String]

  /// What the output in `out_<name>.npy` may be off by: the usual where the case does not say.
  public func tolerance(of name: String) -> Tolerance {
    (tolerances["out_\(name)"] ?? tolerances[""]).map { .absolute($0) } ?? .usual
  }

  /// The case in `folder`.
  ///
  /// - Throws: `GoldenError` where `case.json` is bad or there is no model.
  public init(in folder: String) throws(GoldenError) {
    self.folder = folder
    let (settings, settingsFile) = try Self.settings(of: folder)
    func invalid(_ key: String) -> GoldenError {
      .content("'\(key)' is not as the format says", file: settingsFile)
    }
    signature = settings["signature"]?.string
    modelDigest = settings["model_sha256"]?.string
    if let word = settings["rounding"] {
      guard let rounding = word.string.flatMap(Rounding.init) else { throw invalid("rounding") }
      self.rounding = rounding
    } else {
      rounding = nil
    }
    guard let tolerances = Self.tolerances(settings["tolerance"]) else {
      throw invalid("tolerance")
    }
    self.tolerances = tolerances
    guard let shapes = Self.shapes(settings["resize"]) else { throw invalid("resize") }
    self.shapes = shapes
    provenance = (settings.members ?? []).compactMap { member in
      guard !Self.settingNames.contains(member.key), let word = member.value.string else {
        return nil
      }
      return (member.key, word)
    }
    steps = [folder] + Self.steps(in: folder)
    if let path = settings["model"] {
      guard let path = path.string else { throw invalid("model") }
      model = path.hasPrefix("/") ? path : "\(folder)/\(path)"
    } else {
      model = try Self.nearestModel(to: folder)
    }
  }

  /// The members of `case.json` that say how to run it; the others say where it comes from.
  private static let settingNames: Set = [
    "model", "model_sha256", "signature", "resize", "tolerance",
  ]

  /// What is said about the case in `folder`, and the file that says it: `case.json` there, or the
  /// folder's member of `cases.json` in the folder or archive above.
  private static func settings(
    of folder: String
  ) throws(GoldenError) -> (settings: JSON, file: String) {
    let own = "\(folder)/case.json"
    if Folder.kind(of: own) != nil { return (try settings(in: own), own) }
    guard let above = Folder.parent(of: folder) else { return ([:], own) }
    let index = "\(above)/cases.json"
    guard Folder.kind(of: index) != nil else { return ([:], own) }
    return (try settings(in: index)[Folder.lastName(of: folder)] ?? [:], index)
  }

  private static func settings(in file: String) throws(GoldenError) -> JSON {
    let bytes: [UInt8]
    do throws(FileSystemError) { bytes = try InputFile.bytes(at: file, limit: 1 << 24) } catch {
      throw .file(error)
    }
    do throws(JSONError) { return try JSON(parsing: bytes) } catch {
      throw .content("no JSON document: \(error)", file: file)
    }
  }

  /// Tolerances by output, or one for all; nil where the value is neither.
  private static func tolerances(_ value: JSON?) -> [String: Double]? {
    guard let value else { return [:] }
    if let number = value.number { return ["": number] }
    guard let members = value.members else { return nil }
    var tolerances: [String: Double] = [:]
    for member in members {
      guard let number = member.value.number else { return nil }
      tolerances[member.key] = number
    }
    return tolerances
  }

  /// Shapes by input, as lists or as `1x2x3`; nil where a value is neither.
  private static func shapes(_ value: JSON?) -> [(name: String, shape: Shape)]? {
    guard let value else { return [] }
    guard let members = value.members else { return nil }
    var shapes: [(name: String, shape: Shape)] = []
    for member in members {
      let lengths: [Int?] =
        member.value.array?.map(\.integer)
        ?? member.value.string?.split(separator: "x").map { Int($0) } ?? [nil]
      let dimensions = lengths.compactMap { $0 }
      guard dimensions.count == lengths.count, let shape = try? Shape(dimensions) else {
        return nil
      }
      shapes.append((member.key, shape))
    }
    return shapes
  }

  private static func steps(in folder: String) -> [String] {
    var steps: [String] = []
    while Folder.kind(of: "\(folder)/step\(steps.count + 1)") == .folder {
      steps.append("\(folder)/step\(steps.count + 1)")
    }
    return steps
  }

  private static func nearestModel(to folder: String) throws(GoldenError) -> String {
    // A relative path ends at the current folder; the absolute one goes on above it.
    var location: String? = Folder.resolved(folder) ?? folder
    if Folder.kind(of: "\(folder)/model.tflite") == .file { return "\(folder)/model.tflite" }
    while let above = location.flatMap(Folder.parent) {
      let file = above == "/" ? "/model.tflite" : "\(above)/model.tflite"
      if Folder.kind(of: file) == .file { return file }
      location = above
    }
    throw .content("no model.tflite here or above", file: folder)
  }
}
