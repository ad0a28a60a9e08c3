// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging
public import Landmarks
public import Martlet
import ModelTasks

/// Finds the 17 key points of people: MoveNet, PoseNet, and the pose models of YOLOv8, 11 and 26.
///
/// ```swift
/// let estimator = try PoseEstimator(Model(path: "movenet_lightning.tflite"))
/// for pose in try estimator.detect(image) { print(pose.score, pose[.nose]) }
/// ```
///
/// The model is told by the shapes of its outputs: MoveNet for one person (Lightning, Thunder) or
/// several, PoseNet (with forward and backward displacements, or both in one output), Coral's
/// PoseNet, whose last operator `PosenetDecoderOp` finds the people, and Ultralytics' exports with
/// a box, a score and 17 key points for each candidate, `[1, 56, candidates]`, or finished,
/// `[1, people, 57]`; those with more classes, or other key points (`kpt_shape`, such as 21 of a
/// hand, or 4 corners without visibility), are told by the notes of the export. Float inputs take
/// -1 to 1, MoveNet's 0 to 255 and YOLO's 0 to 1, where metadata does not say otherwise. An
/// estimator belongs to one task at a time, as the interpreter it holds.
public final class PoseEstimator {
  /// How people are found.
  public struct Options: Sendable {
    /// People with a lower score are not reported.
    public var minScore: Float = 0.25
    /// The most people; PoseNet finds one person more simply than several.
    public var maxPoses = 10
    /// The greatest overlap of two people's boxes that are both reported, the common area by that of
    /// both together; of candidates of YOLO, with Ultralytics' number.
    public var overlapThreshold: Float = 0.7
    /// Whether the image is padded to the input's proportions rather than stretched: with the gray
    /// 114 for models with the notes of Ultralytics, with black for others.
    public var keepsAspect = true
    /// Where MoveNet for one person looks in the image after this one.
    public var crop = MoveNetCrop()
    /// The longer side of an input that the model leaves open, in pixels; a multiple of 32.
    public var openInputSide = 256
    /// How the model is run.
    public var interpreter = Interpreter.Options()

    /// The published numbers.
    public init() {}
  }

  /// How people are found.
  public let options: Options
  private let model: RegionModel
  private let outputs: PoseOutputs
  /// How the program of the model's maker makes images fit; nil where the notes name none.
  private let usualResizing: UsualResizing?
  /// The region for the next image of a video, and the size of the image that it was made for.
  private var next: (rect: RotatedRect, columns: Int, rows: Int)?

  /// An estimator that runs `model`.
  ///
  /// - Throws: `VisionError` where the model is none that is known or the options are wrong.
  public init(_ model: Model, options: Options = Options()) throws(VisionError) {
    guard (1...1 << 10).contains(options.maxPoses) else {
      throw .invalidOption("1 to 1024 people, not \(options.maxPoses)")
    }
    guard (0...1).contains(options.minScore) else {
      throw .invalidOption("the least score must be from 0 to 1, not \(options.minScore)")
    }
    guard (0...1).contains(options.overlapThreshold) else {
      throw .invalidOption("the overlap must be from 0 to 1, not \(options.overlapThreshold)")
    }
    guard (32...4096).contains(options.openInputSide), options.openInputSide % 32 == 0 else {
      throw .invalidOption("the side of an open input is a multiple of 32 up to 4096")
    }
    self.options = options
    let operators = model.file.subgraphs.first?.nodes.map(\.identity.customName) ?? []
    let endsWithDecoder = operators.contains(PoseNetDecoder.customOperator)
    var settings = options.interpreter
    settings.customOperators.register(PoseNetDecoder.customOperator) { node throws(KernelError) in
      try PoseNetDecoderOperator(node)
    }
    let side = options.openInputSide
    let range: PixelValueRange = model.takesBytes ? .bytes : .symmetric
    self.model = try RegionModel(
      model, name: "pose model", range: range, openSize: (side, side), options: settings)
    let interpreter = self.model.interpreter
    let notes = try ModelNotes(forVision: model)
    outputs = try PoseOutputs(
      self.model.shapes, names: interpreter.outputs.map(\.name), endsWithDecoder: endsWithDecoder,
      rows: PoseRows(
        self.model.shapes, input: self.model.size, notes: notes))
    usualResizing = notes.ultralytics == nil ? nil : .ultralytics
    if let range = outputs.range { self.model.usualRange = range }
  }

  /// The interpreter of the model.
  public var interpreter: Interpreter { model.interpreter }

  /// The people in an image that has nothing to do with others.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - orientation: how it must be turned to be upright.
  /// - Returns: the people, best first, their key points in pixels of the image as stored.
  /// - Throws: `VisionError` when the image cannot be prepared or the model fails on it.
  public func detect(
    _ image: PixelBuffer, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [Pose] {
    let upright = UprightImage(image, orientation)
    let poses = try poses(upright, in: nil)
    return stored(poses, upright)
  }

  /// The people in the next image of a video.
  ///
  /// MoveNet for one person looks at the part around the person of the image before.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - orientation: how it must be turned to be upright.
  /// - Returns: the people, best first, their key points in pixels of the image as stored.
  /// - Throws: `VisionError` when the image cannot be prepared or the model fails on it.
  public func track(
    _ image: PixelBuffer, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [Pose] {
    let upright = UprightImage(image, orientation)
    let fits = next.map { $0.columns == upright.columns && $0.rows == upright.rows } ?? false
    let poses = try poses(upright, in: fits ? next?.rect : nil)
    next = nil
    if outputs.isSinglePose, let person = poses.first {
      let pixels = person.scaled(Float(upright.columns), Float(upright.rows))
      let rect = options.crop.next(after: pixels, columns: upright.columns, rows: upright.rows)
      next = (rect, upright.columns, upright.rows)
    }
    return stored(poses, upright)
  }

  /// Forgets the video's images.
  public func reset() { next = nil }

  /// The people as fractions of the upright image.
  private func poses(_ image: UprightImage, in rect: RotatedRect?) throws(VisionError) -> [Pose] {
    let projection = try run(image, in: rect)
    let poses = try outputs.poses(model, options)
    return poses.filter { $0.score >= options.minScore }.prefix(options.maxPoses).map { pose in
      var result = pose
      for index in pose.keyPoints.indices {
        let point = projection.projected(
          Landmark(x: pose.keyPoints[index].x, y: pose.keyPoints[index].y))
        (result.keyPoints[index].x, result.keyPoints[index].y) = (point.x, point.y)
      }
      result.box = pose.box.map { projection.projected($0) }
      return result
    }
  }

  /// Runs the model on an image, or a region of it.
  private func run(
    _ image: UprightImage, in rect: RotatedRect?
  ) throws(VisionError) -> RectProjection {
    if let usualResizing, options.keepsAspect {
      return try model.run(image, resizing: usualResizing)
    }
    var region = rect ?? image.whole
    if rect == nil, options.keepsAspect {
      region = try VisionError.wrapping { () throws(LandmarkError) in
        try Letterbox.fitting(region, columns: model.columns, rows: model.rows).rect
      }
    }
    let border: ImageBorder = rect == nil && !options.keepsAspect ? .replicate : .zero
    return try model.runCentered(image, region, border: border)
  }

  private func stored(_ poses: [Pose], _ image: UprightImage) -> [Pose] {
    poses.map { pose in
      var result = pose
      let points = image.stored(pose.keyPoints.map { Landmark(x: $0.x, y: $0.y) })
      for (index, point) in points.enumerated() {
        (result.keyPoints[index].x, result.keyPoints[index].y) = (point.x, point.y)
      }
      if let box = pose.box {
        let frame = image.stored(box)
        result.box = KeyPointDetection(
          left: Float(frame.x), top: Float(frame.y), width: Float(frame.width),
          height: Float(frame.height), score: box.score)
      }
      return result
    }
  }
}

extension Model {
  /// Whether a float input takes 0 to 255, as that of MoveNet with its single output, rather than -1
  /// to 1.
  fileprivate var takesBytes: Bool { file.subgraphs.first?.outputs.count == 1 }
}
