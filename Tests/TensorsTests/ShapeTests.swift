// SPDX-License-Identifier: Apache-2.0

import Tensors
import Testing

@Suite struct ShapeTests {
  @Test(arguments: [
    [-1], [Int.max, 2], [1 << 20, 1 << 21], [0, Int.max, Int.max], Array(repeating: 1, count: 65),
    [Int.min], [1 << 39, 0, 1 << 39],
  ])
  func `dimensions that would overflow are refused`(dimensions: [Int]) {
    #expect(throws: ShapeError.self) { try Shape(dimensions) }
  }

  @Test func `counts and strides are those of row-major order`() throws {
    let shape = try Shape([2, 3, 4])
    #expect(shape.elementCount == 24)
    #expect(shape.strides == [12, 4, 1])
    #expect(Shape.scalar.elementCount == 1)
    #expect(try Shape([5, 0, 2]).elementCount == 0)
  }

  @Test func `sub-byte types are packed`() {
    #expect(ElementType.int4.byteCount(of: 3) == 2)
    #expect(ElementType.int2.byteCount(of: 5) == 2)
    #expect(ElementType.float32.byteCount(of: Int.max) == nil)
    #expect(ElementType.string.byteCount(of: 1) == nil)
  }

  @Test func `bfloat16 rounds to nearest even`() {
    #expect(BFloat16(1).bitPattern == 0x3F80)
    #expect(BFloat16(Float(bitPattern: 0x3F80_8000)).bitPattern == 0x3F80)
    #expect(BFloat16(Float(bitPattern: 0x3F81_8000)).bitPattern == 0x3F82)
    #expect(BFloat16(.nan).float.isNaN)
  }
}
