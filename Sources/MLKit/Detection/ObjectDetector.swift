// SPDX-License-Identifier: Apache-2.0

public import Foundation
import VisionTasks

/// What `ObjectDetector.process` calls when it is done: the objects, or the error.
public typealias ObjectDetectionCallback = ([Object]?, (any Error)?) -> Void

/// Finds things in images, follows them in streams and, with a classifier, says what they are.
///
/// It may be used by several threads; images are looked at one after the other. The models are
/// loaded when they are first needed.
///
/// Unlike in the original, every image of a stream waits for the detector, so that frames and
/// labels never are missing in the first ones.
public final class ObjectDetector: NSObject, @unchecked Sendable {
  private let worker: Worker<ObjectFinder>

  /// A detector that works as the options say now.
  public class func objectDetector(options: CommonObjectDetectorOptions) -> ObjectDetector {
    ObjectDetector(ObjectFinder.Settings(options))
  }

  private init(_ settings: ObjectFinder.Settings) {
    worker = Worker("object-detector") { () throws(NSError) in try ObjectFinder(settings) }
  }

  /// Finds the things in an image.
  ///
  /// - Parameters:
  ///   - image: the image, as it is when this is called.
  ///   - completion: gets the objects, or an `NSError`, on the completion queue.
  public func process(
    _ image: any MLKitCompatibleImage, completion: @escaping ObjectDetectionCallback
  ) {
    worker.look(at: image, Self.objects, completion: completion)
  }

  /// Finds the things in an image (an addition).
  ///
  /// - Throws: `NSError`.
  nonisolated(nonsending) public func process(
    _ image: any MLKitCompatibleImage
  ) async throws -> [Object] {
    try await worker.look(at: image, Self.objects)
  }

  /// Finds the things in an image, on this thread.
  ///
  /// - Throws: `NSError`; of code `failedPrecondition` on the main thread, where the original
  ///   raises an exception (see `MLKitSettings.completionQueue`).
  public func results(in image: any MLKitCompatibleImage) throws -> [Object] {
    try worker.lookHere(at: image, Self.objects)
  }

  private static func objects(
    _ finder: ObjectFinder, _ image: VisionImage.Snapshot
  ) throws(NSError) -> [Object] {
    try finder.objects(in: image)
  }
}
