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
/// log-odds of a face. A mesh with attention has 1404 and beside them x and y of its parts: 160
/// numbers for the lips, 142 for each eye and 10 for each iris, the left ones first.
final class FaceMeshModel {
  private let model: RegionModel
  /// What runs the model.
  var interpreter: Interpreter { model.interpreter }
  private let landmarkOutput: Int
  private let presenceOutput: Int
  private let parts: [FaceMeshRefinement: Int]
  /// How many points a face has.
  let pointCount: Int

  init(_ model: Model, options: Interpreter.Options) throws(VisionError) {
    self.model = try RegionModel(model, name: "face mesh", range: .unit, options: options)
    let (mesh, refined) = (3 * FaceMeshRefinement.meshCount, 3 * FaceMeshRefinement.refinedCount)
    let landmarks = self.model.outputs(ofCount: [mesh, refined])
    let scores = self.model.outputs(ofCount: [1])
    guard let landmarkOutput = landmarks.first, let presenceOutput = scores.first else {
      throw .incompatibleModel(
        "the outputs of a face mesh are 1404 or 1434 numbers and 1, not \(self.model.shapes)")
    }
    (self.landmarkOutput, self.presenceOutput) = (landmarkOutput, presenceOutput)
    parts = Self.parts(self.model)
    let hasIrises = self.model.shapes[landmarkOutput].contains(refined) || !parts.isEmpty
    pointCount = hasIrises ? FaceMeshRefinement.refinedCount : FaceMeshRefinement.meshCount
  }

  /// The outputs of a mesh with attention; empty where one of them is missing.
  private static func parts(_ model: RegionModel) -> [FaceMeshRefinement: Int] {
    var parts: [FaceMeshRefinement: Int] = [:]
    for part in FaceMeshRefinement.allCases {
      let outputs = model.outputs(ofCount: [2 * part.points.count])
      guard let output = outputs.first(where: { !parts.values.contains($0) }) else { return [:] }
      parts[part] = output
    }
    return parts
  }

  /// The face in a region.
  func mesh(_ image: UprightImage, _ rect: RotatedRect) throws(VisionError) -> FaceMesh {
    let projection = try model.run(image, rect)
    var points = try points(
      landmarkOutput, count: parts.isEmpty ? pointCount : FaceMeshRefinement.meshCount)
    if !parts.isEmpty {
      var refinements: [FaceMeshRefinement: [Landmark]] = [:]
      for (part, output) in parts {
        refinements[part] = try self.points(output, count: part.points.count)
      }
      points = try VisionError.wrapping { () throws(LandmarkError) in
        try FaceMeshRefinement.applied(to: points, refinements)
      }
    }
    let presence = try model.values(presenceOutput).first ?? 0
    return FaceMesh(points: projection.projected(points), presence: presence.sigmoid)
  }

  private func points(_ output: Int, count: Int) throws(VisionError) -> [Landmark] {
    let values = try model.values(output)
    let decoder = LandmarkDecoder(
      count: count, inputWidth: model.columns, inputHeight: model.rows)
    return try VisionError.wrapping { () throws(LandmarkError) in try decoder.landmarks(values) }
  }
}

/// A model that rates the movements of a face.
final class FaceBlendshapeModel {
  /// What runs the model.
  let interpreter: Interpreter

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
