// SPDX-License-Identifier: Apache-2.0

package import ImageCodecs
package import Imaging
package import Martlet
import ModelFormat
import Tensors
import VisionTasks

/// What became of an image: the model's view of it, what the model says, and where it looks.
package struct ImageFacts: Sendable {
  /// What the model says about the image.
  package enum Answer: Sendable {
    /// Classes, best first, of each output.
    case labels([Head])
    /// Things in positions, in pixels of the upright image.
    case objects([Thing])
    /// Points of a body in positions, in pixels of the upright image.
    case points([BodyPoint])
    /// Nothing that is recognized: the outputs' numbers must do.
    case numbers
  }

  /// What one output of a classifier says.
  package struct Head: Sendable {
    package let name: String
    package let classes: [(label: String, score: Double)]
  }

  /// Something that a detector found.
  package struct Thing: Sendable {
    package let label: String
    package let score: Double
    package let frame: ImageRect
  }

  /// A point of a body.
  package struct BodyPoint: Sendable {
    package let name: String
    package let x: Double
    package let y: Double
    package let score: Double
  }

  package let fileName: String
  package let fileDigest: String
  /// Columns and rows as stored.
  package let storedSize: (width: Int, height: Int)
  package let orientation: ImageOrientation
  /// The upright image, no larger than a page needs.
  package let shown: PixelBuffer
  /// Pixels of the upright image for one of the shown.
  package let shrink: Double
  /// What the model sees.
  package let seen: PixelBuffer
  package let fit: String
  package let filter: String
  package let channelOrder: String
  package let normalization: String
  package let normalizationOrigin: String
  package let sizeOrigin: String
  package let answer: Answer
  package let occlusion: OcclusionMap?

  package init(
    _ audited: AuditedImage, _ model: Model, _ options: Interpreter.Options,
    _ audit: AuditOptions, multiplyAdds: Int?
  ) throws {
    fileName = audited.fileName
    fileDigest = audited.fileDigest
    storedSize = (audited.pixels.width, audited.pixels.height)
    orientation = audited.orientation
    let upright = audited.pixels.upright(from: audited.orientation).converted(to: .rgb8)
    shrink = upright.shrinkOnPage
    shown = try upright.shownOnPage()
    seen = audited.prepared.image
    let input = audited.input
    fit = "\(audited.preprocessing.fit)".split(separator: "(").first.map(String.init) ?? ""
    filter = "\(audited.preprocessing.filter)"
    channelOrder = audited.preprocessing.channelOrder.rawValue
    normalization =
      "mean \(Self.list(input.normalization.mean)), standard deviation "
      + Self.list(input.normalization.standardDeviation)
    normalizationOrigin = input.normalizationOrigin.rawValue
    sizeOrigin = input.sizeOrigin.rawValue
    let task = try ImageTask(audited, model, options, count: audit.topCount)
    answer = try task.answer(audited)
    // Slow models are looked at through fewer windows.
    let steps =
      (multiplyAdds ?? 0) > 2_000_000_000 ? min(audit.occlusionSteps, 4) : audit.occlusionSteps
    occlusion = try OcclusionMap(of: audited.prepared.image, task, steps: steps)
  }

  private static func list(_ numbers: [Float]) -> String {
    numbers.map { "\($0)" }.joined(separator: ", ")
  }
}
