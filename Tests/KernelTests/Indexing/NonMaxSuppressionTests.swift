// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct NonMaxSuppressionTests {
  /// Two boxes that overlap by 3/5, one of them given by its other corners, and one apart.
  static let boxes = Tensor([3, 4], [0, 0, 1, 4, 1, 5, 0, 1, 0, 9, 1, 10] as [Float])

  static func suppress(
    _ scores: [Float], limit: Int32 = 3, overlap: Float = 0.5, floor: Float = 0,
    sigma: Float? = nil, boxes: Tensor = Self.boxes, kernels: KernelSet = .reference
  ) throws -> [Tensor] {
    let scalars = [overlap, floor] + (sigma.map { [$0] } ?? [])
    let inputs = [boxes, Tensor([scores.count], scores), Tensor([], [limit]).constant]
    let int32 = TensorType(.int32, [])
    return try evaluate(
      sigma == nil ? .nonMaxSuppressionV4 : .nonMaxSuppressionV5,
      inputs + scalars.map { Tensor([], [$0]).constant },
      outputs: sigma == nil ? [int32, int32] : [int32, TensorType(.float32, []), int32],
      kernels: kernels)
  }

  @Test(arguments: KernelSet.all)
  func `the best of overlapping boxes stays`(kernels: KernelSet) throws {
    let selected = try Self.suppress([0.5, 0.9, 0.7], kernels: kernels)
    #expect(selected[0].values() == [1, 2, 0] as [Int32])
    #expect(selected[1].type.shape == [])
    #expect(selected[1].values() == [2] as [Int32])
  }

  @Test func `scores at the floor take no part`() throws {
    let selected = try Self.suppress([0.5, 0.9, 0.7], floor: 0.7)
    #expect(selected[1].values() == [1] as [Int32])
    let none = try Self.suppress([.nan, .nan, 0.7], floor: 0.7)
    #expect(none[0].values() == [0, 0, 0] as [Int32])
    #expect(none[1].values() == [0] as [Int32])
  }

  /// exp(−0.6² / (2 · 0.5)) · 0.5 = 0.348838.
  @Test func `with sigma, overlap costs score`() throws {
    let selected = try Self.suppress([0.5, 0.9, 0.7], overlap: 1, sigma: 0.5)
    #expect(selected[0].values() == [1, 2, 0] as [Int32])
    let scores = selected[1].values(as: Float.self)
    #expect(scores[0] == 0.9 && scores[1] == 0.7)
    #expect((scores[2] - 0.348_838).magnitude < 1e-6)
    #expect(selected[2].values() == [3] as [Int32])
  }

  @Test func `limits out of range are refused`() throws {
    #expect(throws: KernelError.self) { try Self.suppress([1, 1, 1], limit: -1) }
    #expect(throws: KernelError.self) { try Self.suppress([1, 1], limit: 1) }
    #expect(throws: KernelError.self) { try Self.suppress([1, 1, 1], sigma: -1) }
    #expect(throws: KernelError.self) { try Self.suppress([1, 1, 1], sigma: .nan) }
    #expect(try Self.suppress([1, 1, 1], limit: 0)[1].values() == [0] as [Int32])
  }
}
