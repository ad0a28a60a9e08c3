// SPDX-License-Identifier: Apache-2.0

import Imaging
import Landmarks
import Martlet
import MetadataFormat
import ModelTasks
import Tensors

/// A model that looks at turned regions of images, with its interpreter.
///
/// One input `[1, rows, columns, 3]`. A float input takes the range of its metadata's normalization,
/// or else that of the task; uint8
/// and int32 take bytes as they are, int8 those less 128, int16 the range's
/// values quantized.
final class RegionModel {
  /// What the model is, for errors.
  let name: String
  let interpreter: Interpreter
  /// Columns of the input.
  let columns: Int
  /// Rows of the input.
  let rows: Int
  private let type: TensorType
  /// The values of black and white; nil where the metadata does not give them.
  private let ownRange: PixelValueRange?
  /// The values of black and white where the metadata does not give them.
  var usualRange: PixelValueRange

  /// A model with this range of values where its metadata gives none.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - name: what it is, for errors.
  ///   - range: the values of black and white where the metadata says nothing.
  ///   - rangeByColumns: those of models whose input has so many columns.
  ///   - openSize: the size of an input that the model leaves open; nil for none.
  ///   - options: how the model is run.
  /// - Throws: `VisionError` where its input is no image of a fixed size.
  init(
    _ model: Model, name: String, range: PixelValueRange,
    rangeByColumns: [Int: PixelValueRange] = [:],
    openSize: (columns: Int, rows: Int)? = nil,
    options: Interpreter.Options
  ) throws(VisionError) {
    self.name = name
    do throws(InferenceError) {
      interpreter = try Interpreter(model, options: options)
    } catch {
      throw .inference(error)
    }
    guard interpreter.inputs.count == 1 else {
      throw .incompatibleModel("a \(name) has one input")
    }
    if let openSize, interpreter.inputs[0].shapeSignature.map({ $0.contains(-1) }) ?? false {
      do throws(InferenceError) {
        try interpreter.resizeInput(0, to: [1, openSize.rows, openSize.columns, 3])
      } catch {
        throw .inference(error)
      }
    }
    guard let type = interpreter.inputs[0].type else {
      throw .incompatibleModel("the type of the input of a \(name) is not known")
    }
    let sides = type.shape.dimensions
    guard sides.count == 4, sides[0] == 1, sides[3] == 3, sides[1] > 0, sides[2] > 0 else {
      throw .incompatibleModel("the input of a \(name) is 1 x height x width x 3, not \(sides)")
    }
    (rows, columns) = (sides[1], sides[2])
    self.type = type
    let described = try ModelNotes(forVision: model).metadata?.subgraphs.first?.inputs.first
    ownRange = try Self.range(described)
    usualRange = rangeByColumns[columns] ?? range
  }

  /// The range that the metadata's mean and deviation give; nil where there are none.
  private static func range(_ metadata: TensorMetadata?) throws(VisionError) -> PixelValueRange? {
    guard let options = metadata?.normalizations.first else { return nil }
    guard let mean = options.mean.first, let deviation = options.standardDeviation.first,
      options.mean.allSatisfy({ $0 == mean }),
      options.standardDeviation.allSatisfy({ $0 == deviation })
    else {
      throw .incompatibleModel("NormalizationOptions: expected one mean and deviation for all")
    }
    let ends = Normalization.ends(mean: mean, deviation: deviation)
    return try VisionError.wrapping { () throws(LandmarkError) in
      try PixelValueRange(lower: ends.black, upper: ends.white)
    }
  }

  /// Runs the model on a region.
  ///
  /// - Parameters:
  ///   - image: the image.
  ///   - rect: the region, in pixels of the upright image.
  ///   - keepsAspect: whether the region is padded to the input's proportions.
  ///   - border: what lies beyond the image's edges.
  ///   - depthTurns: how depth is scaled, as `RectProjection` says.
  /// - Returns: from fractions of the region, with its padding, to fractions of the upright image.
  /// - Throws: `VisionError` where the region is impossible or the model fails.
  func run(
    _ image: UprightImage, _ rect: RotatedRect, keepsAspect: Bool = false,
    border: ImageBorder = .replicate, depthTurns: Bool = true
  ) throws(VisionError) -> RectProjection {
    let fitting = try VisionError.wrapping { () throws(LandmarkError) in
      keepsAspect ? try Letterbox.fitting(rect, columns: columns, rows: rows).rect : rect
    }
    // Channels do not mix, and the crop is mostly smaller than the image.
    let crop = try VisionError.wrapping { () throws(LandmarkError) in
      try image.pixels.cropped(to: fitting, columns: columns, rows: rows, border: border)
        .converted(to: .rgb8)
    }
    do throws(InferenceError) {
      try write(crop)
      try interpreter.invoke()
    } catch {
      throw .inference(error)
    }
    return RectProjection(
      from: fitting, columns: image.columns, rows: image.rows, depthTurns: depthTurns)
  }

  private func write(_ crop: PixelBuffer) throws(InferenceError) {
    let range = ownRange ?? usualRange
    switch type.elementType {
    case .float32: try interpreter.setInput(0, range.values(of: crop))
    case .uint8: try interpreter.setInput(0, crop.bytes)
    case .int8:
      try interpreter.setInput(0, crop.bytes.map { (byte: UInt8) in Int8(bitPattern: byte ^ 0x80) })
    case .int32: try interpreter.setInput(0, crop.bytes.map { (byte: UInt8) in Int32(byte) })
    case .int16: try interpreter.setInput(0, quantizing: range.values(of: crop))
    case let other:
      throw InferenceError(.invalidRequest("\(other.schemaName) takes no image"))
    }
  }

  /// Columns and rows of the input.
  var size: InputSize { InputSize(width: columns, height: rows) }

  /// The shapes of the outputs; those that the model leaves open are empty before the first run.
  var shapes: [[Int]] { interpreter.outputs.map { $0.type?.shape.dimensions ?? [] } }

  /// Runs the model on an upright region as TensorFlow resizes: a pixel of the input is the image at
  /// the middle of the pixels that it stands for, rather than at their corner.
  func runCentered(
    _ image: UprightImage, _ rect: RotatedRect, border: ImageBorder
  ) throws(VisionError) -> RectProjection {
    var shifted = rect
    shifted.centerX += (rect.width / Float(columns) - 1) / 2
    shifted.centerY += (rect.height / Float(rows) - 1) / 2
    _ = try run(image, shifted, border: border)
    return RectProjection(from: rect, columns: image.columns, rows: image.rows)
  }

  /// Runs the model on all of an image, resized and padded as `resizing` says.
  ///
  /// - Parameters:
  ///   - image: the image.
  ///   - resizing: how the image fills the input.
  /// - Returns: from fractions of the input, with its padding, to fractions of the upright image.
  /// - Throws: `VisionError` where the size is impossible or the model fails.
  func run(
    _ image: UprightImage, resizing: UsualResizing
  ) throws(VisionError) -> RectProjection {
    let fitted: FittedImage
    do throws(ImagingError) {
      fitted = try image.pixels.converted(to: .rgb8).fitted(
        toWidth: columns, height: rows, mode: resizing.fit, filter: resizing.filter,
        rounding: resizing.rounding)
    } catch {
      throw .image(error)
    }
    do throws(InferenceError) {
      try write(fitted.image)
      try interpreter.invoke()
    } catch {
      throw .inference(error)
    }
    let seen = fitted.mapping.sourceRect(
      ImageRect(x: 0, y: 0, width: Double(columns), height: Double(rows)))
    let rect = RotatedRect(
      centerX: Float(seen.x + seen.width / 2), centerY: Float(seen.y + seen.height / 2),
      width: Float(seen.width), height: Float(seen.height))
    return RectProjection(from: rect, columns: image.columns, rows: image.rows)
  }

  /// The real values of an output of the latest run.
  func values(_ output: Int) throws(VisionError) -> [Float] {
    do throws(InferenceError) { return try interpreter.dequantizedOutput(output) } catch {
      throw .inference(error)
    }
  }

  /// The outputs with this many values, in the order of MediaPipe's models.
  ///
  /// Converted models call their outputs `Identity`, `Identity_1` … in that order, whatever order
  /// the file lists them in; others have them in the order of the file.
  func outputs(ofCount counts: Set<Int>) -> [Int] {
    let matching = interpreter.outputs.indices.filter {
      counts.contains(shapes[$0].reduce(1) { $0.multipliedReportingOverflow(by: $1).partialValue })
    }
    let ranks = matching.map { Self.rank(of: interpreter.outputs[$0].name) }
    guard ranks.allSatisfy({ $0 != nil }) else { return matching }
    return zip(ranks, matching).sorted { ($0.0 ?? 0) < ($1.0 ?? 0) }.map(\.1)
  }

  /// The number in `Identity_1:0`, 0 of `Identity`; nil for other names.
  private static func rank(of name: String) -> Int? {
    let stem = name.split(separator: ":").first ?? ""
    guard stem.hasPrefix("Identity") else { return nil }
    let rest = stem.dropFirst("Identity".count)
    return rest.isEmpty ? 0 : rest.first == "_" ? Int(rest.dropFirst()) : nil
  }
}
