// SPDX-License-Identifier: Apache-2.0

import Tensors
import Testing

@Suite struct QuantizationTests {
  @Test func `one scale is the tensor's, however it is given`() {
    let quantization = Quantization(scale: 0.5, zeroPoint: -3)
    #expect(quantization == Quantization(scales: [0.5], zeroPoints: [-3]))
    #expect(quantization.perTensor == Affine(scale: 0.5, zeroPoint: -3))
    #expect(quantization.scales == [0.5])
    #expect(quantization.zeroPoints == [-3])
    #expect(quantization.scaleCount == 1)
    #expect(!quantization.isPerChannel)
    #expect(!quantization.isSymmetric)
    #expect(Quantization(scale: 2).isSymmetric)
  }

  @Test(arguments: [[], [0], [0, 0, 0], [0, 0]] as [[Int64]])
  func `zero points of 0 may be left out`(zeroPoints: [Int64]) {
    let quantization = Quantization(scales: [1, 2, 3], zeroPoints: zeroPoints, axis: 1)
    #expect(quantization == Quantization(scales: [1, 2, 3], axis: 1))
    #expect(quantization.zeroPoints == [0, 0, 0])
    #expect(quantization.isSymmetric)
  }

  @Test(arguments: [([7], [7, 7, 7]), ([0, 0, 5], [0, 0, 5])] as [([Int64], [Int64])])
  func `each slice has a zero point`(given: [Int64], zeroPoints: [Int64]) throws {
    let quantization = Quantization(scales: [1, 2, 3], zeroPoints: given)
    #expect(quantization.zeroPoints == zeroPoints)
    #expect(!quantization.isSymmetric)
    #expect(quantization.isPerChannel)
    #expect(quantization.perTensor == nil)
    let last = try #require(quantization.slice(2))
    #expect(last == (scale: 3, zeroPoint: zeroPoints[2]))
  }

  @Test func `there is no slice beyond the last`() {
    #expect(Quantization(scale: 1).slice(1) == nil)
    #expect(Quantization(scales: [1, 2]).slice(2) == nil)
    #expect(Quantization(scales: [1, 2]).slice(-1) == nil)
    #expect(Quantization(scales: []).slice(0) == nil)
    #expect(Quantization(scales: []).scaleCount == 0)
  }

  @Test func `a zero point of more than 32 bits maps nothing`() {
    #expect(Quantization(scale: 1, zeroPoint: 1 << 31).perTensor == nil)
    #expect(Quantization(scale: 1, zeroPoint: 1 << 31).zeroPoints == [1 << 31])
  }
}
