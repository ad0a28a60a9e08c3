// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Martlet

/// The points of a face as fractions of the upright image.
struct FaceMesh {
  var points: [Landmark]
  let presence: Float

  /// The region of the next image.
  func region(_ image: UprightImage) -> NormalizedRect? {
    NormalizedRect(
      around: points, turnedBy: .faceMesh, columns: image.columns, rows: image.rows
    ).map {
      RectTransformation.faceLandmarks.applied(to: $0, columns: image.columns, rows: image.rows)
    }
  }
}

/// A model that finds the points of a face in a region.
///
/// Outputs are 1404 or 1434 numbers, x, y and z of each point in pixels of the input, and the
/// log-odds of a face.
final class FaceMeshModel {
  private let model: RegionModel
  private let landmarkOutput: Int
  private let presenceOutput: Int
  /// How many points a face has.
  let pointCount: Int

  init(_ model: Model, options: Interpreter.Options) throws(VisionError) {
    self.model = try RegionModel(model, name: "face mesh", range: .unit, options: options)
    let landmarks = self.model.outputs(ofCount: [1404, 1434])
    let scores = self.model.outputs(ofCount: [1])
    guard let landmarkOutput = landmarks.first, let presenceOutput = scores.first else {
      throw .incompatibleModel(
        "the outputs of a face mesh are 1404 or 1434 numbers and 1, not \(self.model.shapes)")
    }
    (self.landmarkOutput, self.presenceOutput) = (landmarkOutput, presenceOutput)
    pointCount = self.model.shapes[landmarkOutput].contains(1404) ? 468 : 478
  }

  /// The face in a region.
  func mesh(_ image: UprightImage, _ rect: RotatedRect) throws(VisionError) -> FaceMesh {
    let projection = try model.run(image, rect)
    let values = try model.values(landmarkOutput)
    let decoder = LandmarkDecoder(
      count: pointCount, inputWidth: model.columns, inputHeight: model.rows)
    let points = try VisionError.wrapping { () throws(LandmarkError) in
      try decoder.landmarks(values)
    }
    let presence = try model.values(presenceOutput).first ?? 0
    return FaceMesh(points: projection.projected(points), presence: presence.sigmoid)
  }
}

/// A model that rates the movements of a face.
final class FaceBlendshapeModel {
  private let interpreter: Interpreter

  init(_ model: Model, options: Interpreter.Options) throws(VisionError) {
    do throws(InferenceError) {
      interpreter = try Interpreter(model, options: options)
    } catch {
      throw .inference(error)
    }
    let shape = interpreter.inputs.first?.type?.shape.dimensions ?? []
    let count = interpreter.outputs.first?.type?.shape.elementCount ?? 0
    guard interpreter.inputs.count == 1, interpreter.outputs.count == 1, shape == [1, 146, 2],
      count == FaceBlendshape.names.count
    else {
      throw .incompatibleModel(
        "a blend shape model makes 52 numbers of 1 x 146 x 2, not of \(shape)")
    }
  }

  /// The strength of each movement.
  func values(_ points: [Landmark], _ image: UprightImage) throws(VisionError) -> [Float] {
    let input = try VisionError.wrapping { () throws(LandmarkError) in
      try FaceBlendshape.input(points, columns: image.columns, rows: image.rows)
    }
    do throws(InferenceError) {
      try interpreter.setInput(0, quantizing: input)
      try interpreter.invoke()
      return try interpreter.dequantizedOutput(0)
    } catch {
      throw .inference(error)
    }
  }
}
