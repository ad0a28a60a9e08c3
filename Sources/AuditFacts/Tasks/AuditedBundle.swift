// SPDX-License-Identifier: Apache-2.0

import Compression
public import Martlet
import ModelChecks
public import ModelTasks

/// The models of a `.task` file, and what they say together of an image.
public struct AuditedBundle {
  /// A model of the bundle.
  public struct Part {
    /// The name of its entry; that of an inner bundle stands before it.
    public let name: String
    /// The model.
    public let model: Model
    /// What ran it for the bundle's task, with its inputs; nil where nothing did.
    public package(set) var interpreter: Interpreter?
  }

  /// An entry of the bundle.
  package struct Member: Sendable {
    package let name: String
    package let byteCount: Int
    /// SHA-256 in hexadecimal digits.
    package let digest: String
    /// The tasks that a model fits; nil for another file.
    package let fits: String?
  }

  /// The models, in the order of the file.
  public private(set) var parts: [Part] = []
  package private(set) var members: [Member] = []
  /// What the models say together of an image; nil where nothing was asked.
  package private(set) var answer: TaskFacts?
  package let byteCount: Int
  /// SHA-256 of the file in hexadecimal digits.
  package let digest: String

  /// Bundles in bundles, and the most entries that are looked at.
  private static let (depthLimit, memberLimit) = (2, 64)

  /// The models of a bundle.
  ///
  /// - Parameter bundle: the bundle.
  /// - Throws: `TaskError` where an entry is damaged, or a model is none.
  public init(_ bundle: TaskBundle) throws(TaskError) {
    byteCount = bundle.byteCount
    digest = bundle.digest
    try add(bundle, prefix: "", depth: 1)
  }

  /// The models of a bundle, which run together on an image.
  ///
  /// The points of faces, hands, people or all of them are found; the inputs of each model are those
  /// that the others gave it last.
  ///
  /// - Parameters:
  ///   - bundle: the bundle.
  ///   - image: the image.
  ///   - options: how the models are run.
  ///   - count: how many things are found at most.
  /// - Throws: `TaskError.bundle` where the models have no task together that is known;
  ///   `VisionError` where one is another than its name says, or fails.
  public init(
    _ bundle: TaskBundle, image: BundleImage,
    options: Interpreter.Options = Interpreter.Options(), count: Int = 5
  ) throws {
    try self.init(bundle)
    guard let task = try LandmarkTask(parts, options, count: count) else {
      throw TaskError.bundle(
        "its models have no task together that is known; they are "
          + parts.map(\.name).joined(separator: ", "))
    }
    answer = try task.facts(of: image)
    let ran = task.interpreters
    for index in parts.indices {
      parts[index].interpreter = ran.first { $0.model.storage === parts[index].model.storage }
    }
  }

  private mutating func add(
    _ bundle: TaskBundle, prefix: String, depth: Int
  ) throws(TaskError) {
    for name in bundle.names where members.count < Self.memberLimit && !name.hasSuffix("/") {
      if name.hasSuffix(".task"), depth < Self.depthLimit {
        try add(bundle.bundle(name), prefix: prefix + name + "/", depth: depth + 1)
        continue
      }
      let bytes = try bundle.contents(of: name)
      var fits: String?
      if name.isEmpty || name.hasSuffix(".tflite") {
        let model = try bundle.model(name)
        fits = TaskRecognition(model).fits.text
        parts.append(Part(name: prefix + name, model: model))
      }
      members.append(
        Member(
          name: prefix + name, byteCount: bytes.count,
          digest: SHA256.hexadecimalDigest(bytes.span), fits: fits))
    }
  }
}
