// SPDX-License-Identifier: Apache-2.0

import MediaPipeTasksVision

/// Who is told what a camera's frames show.
public protocol DetectionServiceDelegate: AnyObject {
  func detectionService(_ service: DetectionService, didFind result: ObjectDetectorResult?, at: Int)
}

/// Frames of a camera and images, as programs for iOS in the mode of Swift 5 use the module.
public final class DetectionService: NSObject {
  /// Who is told what frames show.
  public weak var delegate: DetectionServiceDelegate?
  private var detector: ObjectDetector?

  /// A service in one of the running modes.
  public init(modelPath: String, runningMode: RunningMode, delegate computing: Delegate) throws {
    super.init()
    let options = ObjectDetectorOptions()
    options.runningMode = runningMode
    options.baseOptions.modelAssetPath = modelPath
    options.baseOptions.delegate = computing
    options.maxResults = 1
    if runningMode == .liveStream {
      options.objectDetectorLiveStreamDelegate = self
    }
    detector = try ObjectDetector(options: options)
  }

  /// What an image shows.
  public func detect(image: UIImage) -> ObjectDetectorResult? {
    guard let image = try? MPImage(uiImage: image) else { return nil }
    return try? detector?.detect(image: image)
  }

  /// Takes a frame of a camera.
  public func detectAsync(
    sampleBuffer: CMSampleBuffer, orientation: UIImage.Orientation, timeStamps: Int
  ) {
    guard let image = try? MPImage(sampleBuffer: sampleBuffer, orientation: orientation) else {
      return
    }
    try? detector?.detectAsync(image: image, timestampInMilliseconds: timeStamps)
  }
}

extension DetectionService: ObjectDetectorLiveStreamDelegate {
  /// Passes a result on.
  public func objectDetector(
    _ objectDetector: ObjectDetector, didFinishDetection result: ObjectDetectorResult?,
    timestampInMilliseconds: Int, error: Error?
  ) {
    delegate?.detectionService(self, didFind: result, at: timestampInMilliseconds)
  }
}

/// Every other delegate of live streams, with the signatures of the guides.
public final class EveryDelegate: NSObject, ImageClassifierLiveStreamDelegate,
  ImageEmbedderLiveStreamDelegate, ImageSegmenterLiveStreamDelegate, FaceDetectorLiveStreamDelegate,
  FaceLandmarkerLiveStreamDelegate, HandLandmarkerLiveStreamDelegate,
  PoseLandmarkerLiveStreamDelegate
{
  /// The tasks whose results came, and how many things each had.
  public var counts: [String: Int] {
    lock.lock()
    defer { lock.unlock() }
    return found
  }
  private var found: [String: Int] = [:]
  private let lock = NSLock()

  private func count(_ task: String, _ things: Int?) {
    lock.lock()
    defer { lock.unlock() }
    found[task] = things
  }

  /// Counts a result.
  public func imageClassifier(
    _ imageClassifier: ImageClassifier, didFinishClassification result: ImageClassifierResult?,
    timestampInMilliseconds: Int, error: Error?
  ) {
    count("classifier", result?.classificationResult.classifications[0].categories.count)
  }

  /// Counts a result.
  public func imageEmbedder(
    _ imageEmbedder: ImageEmbedder, didFinishEmbedding result: ImageEmbedderResult?,
    timestampInMilliseconds: Int, error: Error?
  ) {
    count("embedder", result?.embeddingResult.embeddings[0].floatEmbedding?.count)
  }

  /// Counts a result.
  public func imageSegmenter(
    _ imageSegmenter: ImageSegmenter, didFinishSegmentation result: ImageSegmenterResult?,
    timestampInMilliseconds: Int, error: Error?
  ) {
    count("segmenter", result?.confidenceMasks?.count)
  }

  /// Counts a result.
  public func faceDetector(
    _ faceDetector: FaceDetector, didFinishDetection result: FaceDetectorResult?,
    timestampInMilliseconds: Int, error: Error?
  ) {
    count("faces", result?.detections.count)
  }

  /// Counts a result.
  public func faceLandmarker(
    _ faceLandmarker: FaceLandmarker, didFinishDetection result: FaceLandmarkerResult?,
    timestampInMilliseconds: Int, error: Error?
  ) {
    count("meshes", result?.faceLandmarks.count)
  }

  /// Counts a result.
  public func handLandmarker(
    _ handLandmarker: HandLandmarker, didFinishDetection result: HandLandmarkerResult?,
    timestampInMilliseconds: Int, error: Error?
  ) {
    count("hands", result?.landmarks.count)
  }

  /// Counts a result.
  public func poseLandmarker(
    _ poseLandmarker: PoseLandmarker, didFinishDetection result: PoseLandmarkerResult?,
    timestampInMilliseconds: Int, error: Error?
  ) {
    count("poses", result?.landmarks.count)
  }
}

/// The lines that a view draws between the landmarks of hands.
public func lines(of result: HandLandmarkerResult) -> [(CGPoint, CGPoint)] {
  var lines: [(CGPoint, CGPoint)] = []
  for landmarks in result.landmarks {
    let points = landmarks.map { CGPoint(x: CGFloat($0.x), y: CGFloat($0.y)) }
    lines += HandLandmarker.handConnections.map {
      (points[Int($0.start)], points[Int($0.end)])
    }
  }
  return lines
}
