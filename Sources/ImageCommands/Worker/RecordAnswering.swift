// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Imaging
import JSONDocuments
import Martlet
import ResourceLimits
import VisionTasks

/// Answers records with a model; each job has its own, with an interpreter of its own.
///
/// What it answers does not depend on what it was asked before.
protocol RecordAnswering {
  /// The member of the answer that holds the result.
  func answer(_ content: WorkerRecord.Content) throws(WorkerFailure) -> JSON.Member
}

/// Says what is in images, or where things are in them.
struct ImageAnswering: RecordAnswering {
  /// What is found in an image.
  typealias Finder = (PixelBuffer, ImageOrientation) throws(VisionError) -> JSON.Member

  let task: WorkerTask
  let limits: Limits
  /// The model's path, for errors.
  let model: String
  let find: Finder

  func answer(_ content: WorkerRecord.Content) throws(WorkerFailure) -> JSON.Member {
    let (image, location) = try content.image(task: task, limits: limits)
    do throws(VisionError) {
      return try find(PixelBuffer(image), image.orientation ?? .up)
    } catch {
      throw WorkerFailure(error, model: model, location: location)
    }
  }
}

extension WorkerFailure {
  /// The failure that an error about an image means.
  fileprivate init(_ error: VisionError, model: String, location: String) {
    if case .inference(let error) = error {
      self.init(error, model: model)
    } else {
      self.init(CommandError(error, file: location), otherwise: .badImage)
    }
  }
}

extension WorkerRecord.Content {
  /// The image that the record shows, and its location for errors.
  fileprivate func image(
    task: WorkerTask, limits: Limits
  ) throws(WorkerFailure) -> (image: DecodedImage, location: String) {
    do throws(CommandError) {
      switch self {
      case .path(let path): return (try decodedImage(at: path, limits: limits), path)
      case .image(let bytes):
        let location = Self.imageLocation
        return (try decodedImage(bytes, path: location, limits: limits), location)
      case .tensors: break
      }
    } catch {
      throw WorkerFailure(error, otherwise: .badImage)
    }
    throw WorkerFailure(
      .badRequest, "'inputs' goes with --task run, wanted an image",
      at: "--task \(task.rawValue)")
  }

  /// What errors call an image that has no file.
  static let imageLocation = "image_base64"
}
