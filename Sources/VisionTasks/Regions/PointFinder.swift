// SPDX-License-Identifier: Apache-2.0

package import ImageCodecs
package import Imaging
package import Martlet

/// What finds faces, hands or people in images.
package protocol PointFinder: AnyObject {
  associatedtype Found: PointFigureConvertible

  /// What is found in an image that has nothing to do with others, in pixels of the image as stored.
  func detect(
    _ image: PixelBuffer, orientation: ImageOrientation
  ) throws(VisionError) -> [Found]
}

/// What follows faces, hands or people from one image of a video to the next.
package protocol PointTracker: PointFinder {
  /// What is found in the next image of a video, at a time later than that of the image before.
  func track(
    _ image: PixelBuffer, orientation: ImageOrientation, at nanoseconds: Int64
  ) throws(VisionError) -> [Found]
}

extension RegionDetector: PointFinder {}
extension FaceLandmarker: PointTracker {}
extension PoseLandmarker: PointTracker {}

extension HandLandmarker: PointTracker {
  package func track(
    _ image: PixelBuffer, orientation: ImageOrientation, at nanoseconds: Int64
  ) throws(VisionError) -> [Hand] { try track(image, orientation: orientation) }
}

extension PoseEstimator: PointTracker {
  package func track(
    _ image: PixelBuffer, orientation: ImageOrientation, at nanoseconds: Int64
  ) throws(VisionError) -> [Pose] { try track(image, orientation: orientation) }
}

/// What the options of landmarkers have in common.
package protocol LandmarkerOptions {
  /// The most faces, hands or poses.
  var maxCount: Int { get set }
  /// The least score of the detector.
  var minDetectionScore: Float { get set }
  /// The least score of the landmark model's presence.
  var minPresenceScore: Float { get set }
  /// The greatest overlap of regions of two images that are not the same.
  var minTrackingScore: Float { get set }
  /// How the models are run.
  var interpreter: Interpreter.Options { get set }

  /// The usual numbers.
  init()
}

extension LandmarkerOptions {
  /// The options of a landmarker, which sees one face, hand or body where no detector finds several.
  ///
  /// - Throws: `VisionError.invalidOption` for impossible numbers.
  func checked(hasDetector: Bool) throws(VisionError) -> Self {
    guard (1...1 << 10).contains(maxCount) else {
      throw .invalidOption("1 to 1024 results, not \(maxCount)")
    }
    try KeyPointDetector.check(minDetectionScore, "the least detection score")
    try KeyPointDetector.check(minPresenceScore, "the least presence score")
    try KeyPointDetector.check(minTrackingScore, "the least tracking score")
    var options = self
    if !hasDetector { options.maxCount = 1 }
    return options
  }
}

extension FaceLandmarker.Options: LandmarkerOptions {
  package var maxCount: Int {
    get { maxFaces }
    set { maxFaces = newValue }
  }
}

extension HandLandmarker.Options: LandmarkerOptions {
  package var maxCount: Int {
    get { maxHands }
    set { maxHands = newValue }
  }
}

extension PoseLandmarker.Options: LandmarkerOptions {
  package var maxCount: Int {
    get { maxPoses }
    set { maxPoses = newValue }
  }
}
