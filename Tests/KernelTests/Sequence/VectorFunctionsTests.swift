// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Testing

/// The bits are those of LiteRT 2.3.0, seen through an RNN without weights and an open LSTM cell.
@Suite struct VectorFunctionsTests {
  @Test(
    arguments: [
      (0.1, 0x3DCC_1EBD), (0.5, 0x3EEC_9A9E), (1.25, 0x3F59_291F), (-2.7, 0xBF7D_B2AB),
      (4.4, 0x3F7F_EC3E), (6.9, 0x3F7F_FFDC), (7.95, 0x3F80_0000), (-30, 0xBF80_0000),
      (0, 0),
    ] as [(Float, UInt32)])
  func `the hyperbolic tangent has the runtime's bits`(x: Float, bits: UInt32) {
    #expect(RationalTanh.value(x).bitPattern == bits)
  }

  @Test(
    arguments: [
      (0.3, 0x3F13_0EA9, 0x3F13_0EAB), (-1.7, 0x3E1E_2C22, 0x3E1E_2C24),
      (5.2, 0x3F7E_9873, 0x3F7E_9873), (-12.5, 0x367A_172D, 0x367A_172D),
      (16.63, 0x3F7F_FFFF, 0x3F7F_FFFF), (-90, 0x0008_EC28, 0x0008_EC28), (-104.5, 0, 0),
    ] as [(Float, UInt32, UInt32)])
  func `the logistic function has the runtime's bits`(
    x: Float, inPacket: UInt32, alone: UInt32
  ) {
    #expect(VectorLogistic(start: 0, count: 4).value(x, at: 3).bitPattern == inPacket)
    #expect(VectorLogistic(start: 0, count: 3).value(x, at: 2).bitPattern == alone)
  }

  /// 0.3 tells the two ways apart.
  @Test(
    arguments: [
      (0, 9, 0..<8), (1, 9, 3..<7), (6, 9, 2..<6), (3, 9, 1..<9), (3, 1, 0..<0), (0, 3, 0..<0),
    ] as [(Int, Int, Range<Int>)])
  func `elements are taken four at a time where four begin at a boundary`(
    start: Int, count: Int, packets: Range<Int>
  ) {
    let logistic = VectorLogistic(start: start, count: count)
    for index in 0..<count {
      let bits: UInt32 = packets.contains(index) ? 0x3F13_0EA9 : 0x3F13_0EAB
      #expect(logistic.value(0.3, at: index).bitPattern == bits)
    }
  }

  @Test func `what is no number stays none`() {
    #expect(RationalTanh.value(.nan).isNaN)
    #expect(VectorLogistic(start: 0, count: 4).value(.nan, at: 0).isNaN)
    #expect(VectorLogistic(start: 0, count: 1).value(.nan, at: 0).isNaN)
    #expect(VectorLogistic(start: 0, count: 4).value(-.infinity, at: 0) == 0)
    #expect(VectorLogistic(start: 0, count: 4).value(.infinity, at: 0) == 1)
  }
}
