// SPDX-License-Identifier: Apache-2.0

import MediaPipeTasksVision

/// Hands of images and of a camera, as the gesture recognizer's example for iOS uses the module.
public final class GestureService: NSObject {
  /// What is told of the frames of a camera.
  public var onResult: ((GestureRecognizerResult?, Error?) -> Void)?
  private(set) var gestureRecognizer: GestureRecognizer?

  /// A service in one of the running modes; nil without a model.
  public init?(modelPath: String?, runningMode: RunningMode, allowing gestures: [String]?) {
    guard let modelPath = modelPath else { return nil }
    super.init()
    let gestureRecognizerOptions = GestureRecognizerOptions()
    gestureRecognizerOptions.runningMode = runningMode
    gestureRecognizerOptions.numHands = 2
    gestureRecognizerOptions.minHandDetectionConfidence = 0.5
    gestureRecognizerOptions.minHandPresenceConfidence = 0.5
    gestureRecognizerOptions.minTrackingConfidence = 0.5
    gestureRecognizerOptions.baseOptions.modelAssetPath = modelPath
    gestureRecognizerOptions.baseOptions.delegate = .GPU
    let cannedGestures = ClassifierOptions()
    cannedGestures.categoryAllowlist = gestures
    gestureRecognizerOptions.cannedGesturesClassifierOptions = cannedGestures
    if runningMode == .liveStream {
      gestureRecognizerOptions.gestureRecognizerLiveStreamDelegate = self
    }
    do {
      gestureRecognizer = try GestureRecognizer(options: gestureRecognizerOptions)
    } catch {
      return nil
    }
  }

  /// The best gesture of each hand in an image, with its score.
  public func recognize(image: UIImage) -> [String] {
    guard let mpImage = try? MPImage(uiImage: image),
      let result = try? gestureRecognizer?.recognize(image: mpImage)
    else { return [] }
    return zip(result.gestures, result.handedness).compactMap { gestures, handedness in
      guard let gesture = gestures.first, let name = gesture.categoryName else { return nil }
      return "\(handedness.first?.categoryName ?? ""): \(name)"
    }
  }

  /// Takes a frame of a camera.
  public func recognizeAsync(
    sampleBuffer: CMSampleBuffer, orientation: UIImage.Orientation, timeStamps: Int
  ) {
    guard let image = try? MPImage(sampleBuffer: sampleBuffer, orientation: orientation) else {
      return
    }
    try? gestureRecognizer?.recognizeAsync(image: image, timestampInMilliseconds: timeStamps)
  }
}

extension GestureService: GestureRecognizerLiveStreamDelegate {
  /// Passes a result on.
  public func gestureRecognizer(
    _ gestureRecognizer: GestureRecognizer,
    didFinishGestureRecognition result: GestureRecognizerResult?, timestampInMilliseconds: Int,
    error: Error?
  ) {
    onResult?(result, error)
  }
}

/// People of images and of a camera, as the holistic landmarker's example for iOS uses the module.
public final class HolisticService: NSObject, HolisticLandmarkerLiveStreamDelegate {
  /// How many points the latest frame of a camera had.
  public private(set) var count = 0
  private var holisticLandmarker: HolisticLandmarker?

  /// A service in one of the running modes.
  public init(modelPath: String, runningMode: RunningMode) throws {
    super.init()
    let options = HolisticLandmarkerOptions()
    options.runningMode = runningMode
    options.minFaceDetectionConfidence = 0.5
    options.minFacePresenceConfidence = 0.5
    options.minPoseDetectionConfidence = 0.5
    options.minPosePresenceConfidence = 0.5
    options.minHandLandmarksConfidence = 0.5
    options.outputFaceBlendshapes = true
    options.baseOptions.modelAssetPath = modelPath
    if runningMode == .liveStream {
      options.holisticLandmarkerLiveStreamDelegate = self
    }
    holisticLandmarker = try HolisticLandmarker(options: options)
  }

  /// The person in an image.
  public func detect(image: UIImage) throws -> HolisticLandmarkerResult? {
    try holisticLandmarker?.detect(image: try MPImage(uiImage: image))
  }

  /// Counts the points of a frame.
  public func holisticLandmarker(
    _ holisticLandmarker: HolisticLandmarker,
    didFinishDetection result: HolisticLandmarkerResult?, timestampInMilliseconds: Int,
    error: Error?
  ) {
    guard let result = result else { return }
    count =
      result.poseLandmarks.count + result.faceLandmarks.count + result.leftHandLandmarks.count
      + result.rightHandLandmarks.count
  }
}
