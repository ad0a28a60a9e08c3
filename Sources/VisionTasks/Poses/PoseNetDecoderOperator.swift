// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Landmarks
import Martlet
import ReferenceKernels
import Tensors

/// `PosenetDecoderOp`: people from PoseNet's maps, as Coral's models end with.
///
/// Inputs are log-odds `[1, rows, columns, 17]`, offsets `[1, rows, columns, 34]` and displacements
/// `[1, rows, columns, 64]`, float32 or uint8. Outputs are key points `[1, n, 17, 2]` as y and x in
/// pixels, their scores `[1, n, 17]`, scores of people `[1, n]`, and their number `[1]`.
struct PoseNetDecoderOperator: Operator {
  private let decoder: PoseNetDecoder

  init(_ node: NodeDescription) throws(KernelError) {
    let options = try node.flexOptions()
    guard let stride = options["stride"]?.float, stride.isFinite, stride > 0,
      let maxPoses = options["max_detections"]?.int, (1...1 << 10).contains(maxPoses),
      let threshold = options["score_threshold"]?.float, (0...1).contains(threshold),
      let radius = options["nms_radius"]?.float, radius.isFinite, radius >= 0
    else {
      throw .invalid("max_detections, score_threshold, stride and nms_radius are needed")
    }
    var decoder = PoseNetDecoder(stride: stride)
    decoder.maxPoses = maxPoses
    decoder.scoreThreshold = threshold
    decoder.suppressionRadius = radius
    decoder.readsCoralChannels = true
    self.decoder = decoder
  }

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 3...3, outputs: 4)
    var readers: [MapReader] = []
    var sides: [Int]?
    for (position, length) in [17, 34, 64].enumerated() {
      let type = try node.input(position)
      let shape = type.shape.dimensions
      guard shape.count == 4, shape[0] == 1, shape[3] == length,
        sides.map({ $0 == Array(shape[1...2]) }) ?? true
      else {
        throw .invalid("\(shape), wanted 1 x rows x columns x \(length)", .input(position))
      }
      sides = Array(shape[1...2])
      readers.append(try MapReader(type, position))
    }
    let grid = sides ?? [0, 0]
    let count = decoder.maxPoses
    let shapes = [[1, count, 17, 2], [1, count, 17], [1, count], [1]]
    var outputs: [TensorType] = []
    for shape in shapes { outputs.append(TensorType(.float32, try Shape.checked(shape))) }
    return Prepared(
      outputs: outputs,
      kernel: PoseNetDecoderKernel(
        decoder: decoder, readers: readers, rows: grid[0], columns: grid[1]))
  }
}

/// Reads one of the maps as real numbers.
private struct MapReader {
  private let position: Int
  private let affine: Affine?

  init(_ type: TensorType, _ position: Int) throws(KernelError) {
    self.position = position
    switch type.elementType {
    case .float32: affine = nil
    case .uint8: affine = try type.affine(.input(position))
    case let other: throw .elementType(other, .input(position))
    }
  }

  func values(_ frame: borrowing TensorFrame) -> [Float] {
    guard let affine else {
      let span = frame.input(position, as: Float.self)
      return span.indices.map { span[$0] }
    }
    let span = frame.input(position, as: UInt8.self)
    let zeroPoint = Float(affine.zeroPoint)
    return span.indices.map { (Float(span[$0]) - zeroPoint) * affine.scale }
  }
}

/// The computation of `PosenetDecoderOp`.
private final class PoseNetDecoderKernel: Kernel {
  private let decoder: PoseNetDecoder
  private let readers: [MapReader]
  private let rows: Int
  private let columns: Int

  init(decoder: PoseNetDecoder, readers: [MapReader], rows: Int, columns: Int) {
    self.decoder = decoder
    self.readers = readers
    self.rows = rows
    self.columns = columns
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let poses: [Pose]
    let maps = (readers[0].values(frame), readers[1].values(frame), readers[2].values(frame))
    do throws(LandmarkError) {
      poses = try decoder.poses(
        PoseNetMaps(
          rows: rows, columns: columns, heatmap: maps.0, offsets: maps.1, displacements: maps.2))
    } catch {
      throw .invalid(error.description)
    }
    var points = frame.output(0, as: Float.self)
    var pointScores = frame.output(1, as: Float.self)
    var scores = frame.output(2, as: Float.self)
    var count = frame.output(3, as: Float.self)
    for index in points.indices { points[index] = 0 }
    for index in pointScores.indices { pointScores[index] = 0 }
    for index in scores.indices { scores[index] = 0 }
    for (index, pose) in poses.enumerated() {
      scores[index] = pose.score
      for (part, point) in pose.keyPoints.enumerated() {
        points[(index * 17 + part) * 2] = point.y
        points[(index * 17 + part) * 2 + 1] = point.x
        pointScores[index * 17 + part] = point.score
      }
    }
    count[0] = Float(poses.count)
  }
}
