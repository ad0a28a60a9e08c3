// SPDX-License-Identifier: Apache-2.0

public import Landmarks
package import Protobuf

extension FaceGeometry {
  /// The name of the canonical face in bundles of face landmarkers.
  public static let fileName = "geometry_pipeline_metadata_landmarks.binarypb"

  /// The canonical face of a `geometry_pipeline_metadata` message.
  ///
  /// Sources: `geometry_pipeline_metadata.proto`, `mesh_3d.proto`. A vertex is x, y and z in
  /// centimeters and two texture coordinates, which are left out, as the triangles are.
  ///
  /// - Parameter metadata: the bytes of the message.
  /// - Throws: `VisionError.incompatibleModel` where they are no such message.
  public init(metadata: [UInt8]) throws(VisionError) {
    var mesh: [Float] = []
    var weights: [Int: Float] = [:]
    var source = Source.landmarks
    var reader = ProtobufReader<VisionError>(metadata, metadata.indices)
    while let (field, value, offset) = try reader.next() {
      switch field {
      case 1: mesh += try Self.vertices(metadata, try value.range(at: offset))
      case 2:
        let (index, weight) = try Self.weight(metadata, try value.range(at: offset))
        weights[index] = weight
      case 3: source = try value.int32(at: offset) == 2 ? .detection : .landmarks
      default: continue
      }
    }
    guard !mesh.isEmpty, mesh.count.isMultiple(of: Self.vertexSize) else {
      throw .incompatibleModel("\(mesh.count) numbers are no vertices of a canonical face")
    }
    let points = stride(from: 0, to: mesh.count, by: Self.vertexSize).map { start in
      Landmark(x: mesh[start], y: mesh[start + 1], z: mesh[start + 2])
    }
    self = try VisionError.wrapping { [weights, source] () throws(LandmarkError) in
      try FaceGeometry(points: points, weights: weights, source: source)
    }
  }

  /// Numbers of a vertex.
  private static let vertexSize = 5

  private static func vertices(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(VisionError) -> [Float] {
    var vertices: [Float] = []
    var reader = ProtobufReader<VisionError>(bytes, range)
    while let (field, value, offset) = try reader.next() {
      switch (field, value) {
      case (1, _):
        guard try value.int32(at: offset) == 0 else {
          throw .incompatibleModel("byte \(offset): a kind of vertices that is not known")
        }
      case (3, .bytes(let packed)):
        guard packed.count.isMultiple(of: 4) else {
          throw .malformed(.wrongWireType, offset: offset)
        }
        vertices += stride(from: packed.lowerBound, to: packed.upperBound, by: 4).map { start in
          Float(
            bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << (8 * $1) })
        }
      case (3, _): vertices.append(try value.float(at: offset))
      default: continue
      }
    }
    return vertices
  }

  private static func weight(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(VisionError) -> (index: Int, weight: Float) {
    var (index, weight): (Int, Float) = (0, 0)
    var reader = ProtobufReader<VisionError>(bytes, range)
    while let (field, value, offset) = try reader.next() {
      switch field {
      case 1: index = try value.int32(at: offset)
      case 2: weight = try value.float(at: offset)
      default: continue
      }
    }
    return (index, weight)
  }
}

extension VisionError: ProtobufFailure {
  /// The error for a defect of a message in a model's bundle.
  package static func malformed(_ defect: ProtobufDefect, offset: Int) -> VisionError {
    .incompatibleModel("byte \(offset): \(defect.rawValue)")
  }
}
