// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging
public import Martlet
import ModelTasks

/// Says how far the things in an image are: MiDaS and models like it.
///
/// ```swift
/// let estimator = try DepthEstimator(Model(path: "midas_small.tflite"))
/// let colored = try estimator.estimate(image).coloredImage
/// ```
///
/// A model has one output `[1, rows, columns]`, `[1, rows, columns, 1]` or `[1, 1, rows, columns]`.
/// An estimator belongs to one task at a time, as the interpreter it holds.
public final class DepthEstimator {
  /// How depth is estimated.
  public struct Options: Sendable {
    /// Whether the map has the image's size, or that of the model's output.
    public var hasImageSize = true
    /// How images become the model's input.
    public var preprocessing = Preprocessing()
    /// How the model is run.
    public var interpreter = Interpreter.Options()

    /// Maps of the image's size.
    public init() {}
  }

  /// How depth is estimated.
  public let options: Options
  /// What the model takes.
  public let input: ImageInput
  /// The model's interpreter.
  public let interpreter: Interpreter

  /// An estimator that runs `model`.
  ///
  /// - Throws: `VisionError` where the model gives no number for each pixel.
  public init(_ model: Model, options: Options = Options()) throws(VisionError) {
    self.options = options
    let notes = try ModelNotes(forVision: model)
    interpreter = try VisionError.converting { () throws(TaskError) in
      try Interpreter(forTask: model, options: options.interpreter)
    }
    input = try ImageInput(
      of: interpreter, notes: notes, preprocessing: options.preprocessing)
    guard interpreter.outputs.count == 1 else {
      throw .incompatibleModel(
        "Depth models are expected to have only 1 output, found \(interpreter.outputs.count).")
    }
    _ = try decoder()
  }

  private func decoder() throws(VisionError) -> SegmentationDecoder {
    let sides = interpreter.outputs[0].type?.shape.dimensions ?? []
    let isPlanar = sides.count == 4 && sides[1] == 1 && sides[3] > 1
    let layout = try SegmentationLayout(
      shape: sides, holdsCategories: false, order: isPlanar ? .categoriesFirst : .categoriesLast)
    guard layout.depth == 1 else {
      throw .incompatibleModel("Depth is one number for each pixel, found \(layout.depth).")
    }
    return SegmentationDecoder(layout, activation: .none)
  }

  /// How far the things in an image are.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - orientation: how the image must be turned to be upright.
  /// - Returns: the map, in the orientation of the image as stored.
  /// - Throws: `VisionError` when the image cannot be prepared or the model fails on it.
  public func estimate(
    _ image: PixelBuffer, orientation: ImageOrientation = .up
  ) throws(VisionError) -> DepthMap {
    let prepared = try input.feed(image, orientation: orientation, to: interpreter)
    try VisionError.converting(interpreter.invokeForTask)
    let values = try VisionError.converting { () throws(TaskError) in
      try interpreter.values(ofOutput: 0)
    }
    guard let mask = try decoder().confidences(values).first else {
      throw .incompatibleModel("Depth is one number for each pixel, found none.")
    }
    let stored = mask.upright(from: orientation.inverse)
    guard options.hasImageSize else { return DepthMap(values: stored) }
    do throws(ImagingError) {
      return DepthMap(
        values: try stored.placed(
          by: MaskPlacement(width: image.width, height: image.height, frame: prepared.sourceRect),
          outside: .nan))
    } catch {
      throw .image(error)
    }
  }
}
