// SPDX-License-Identifier: Apache-2.0

public import ModelTasks
internal import VisionTasks

extension TaskRecognition {
  /// Bundles in bundles, and the most models that are looked at.
  private static let (depthLimit, modelLimit) = (2, 64)

  /// The tasks of a bundle's models: together those of points, alone all others.
  ///
  /// - Throws: `TaskError.bundle` where an entry that should be a model is damaged.
  public init(_ bundle: TaskBundle) throws(TaskError) {
    let parts = try Self.parts(of: bundle, prefix: "", depth: 1)
    let all = parts.flatMap { part in part.fits.map { (part: part, fit: $0) } }
    var fits: [TaskFit] = []
    for task in ModelTask.allCases {
      let models = all.filter { $0.fit.task == task }
      guard let first = models.first(where: { $0.fit.part == nil }) ?? models.first else {
        continue
      }
      let isOfPoints = [.faces, .hands, .pose].contains(task)
      // What rates gestures by a vector is a classifier of anything but an image.
      guard isOfPoints || parts.count == 1 else { continue }
      // Points are looked for where a detector finds something.
      let hasDetector = models.contains { model in
        model.fit.part.map { LandmarkPart(rawValue: $0)?.findsRegions ?? false } ?? true
      }
      guard !isOfPoints || hasDetector else { continue }
      let names = models.map(\.part.name).joined(separator: ", ")
      fits.append(
        TaskFit(
          task, isOfPoints ? .image : first.fit.subject,
          isOfPoints && models.count > 1 ? "its models are \(names)" : first.fit.reason,
          lack: first.fit.lack, isSaid: true))
    }
    self.init(fits: fits, parts: parts)
  }

  private static func parts(
    of bundle: TaskBundle, prefix: String, depth: Int
  ) throws(TaskError) -> [Part] {
    var parts: [Part] = []
    for name in bundle.names {
      if name.isEmpty || name.hasSuffix(".tflite") {
        guard parts.count < modelLimit else { break }
        let bytes = try bundle.contents(of: name)
        parts.append(
          Part(
            name: prefix + name, byteCount: bytes.count,
            fits: TaskRecognition(try bundle.model(name)).fits))
      } else if name.hasSuffix(".task"), depth < depthLimit {
        parts += try self.parts(
          of: bundle.bundle(name), prefix: prefix + name + "/", depth: depth + 1)
      }
    }
    return parts
  }
}
