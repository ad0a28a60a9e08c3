// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors
import Testing

@Suite struct BroadcastTests {
  @Test(arguments: [[], [1], [1, 1, 1], [5], [2, 3, 4], [1, 7, 1], [0], [3, 0, 2], [0, 1]])
  func `operands of one shape are walked in a single row`(dimensions: [Int]) throws {
    let shape = try Shape(dimensions)
    let broadcast = try Broadcast([shape, shape, shape])
    #expect(broadcast.shape == shape)
    #expect(broadcast.rowLength == shape.elementCount)
    let step = shape.elementCount == 1 ? 0 : 1
    #expect(broadcast.rowSteps == [step, step, step])
    #expect(broadcast.outerLengths.isEmpty)
    var rows = broadcast.rows()
    var count = 0
    while rows.next() { count += 1 }
    #expect(count == (shape.elementCount == 0 ? 0 : 1))
  }

  @Test func `more axes than the limit are refused, alike or not`() throws {
    let shape = try Shape([1, 2, 1, 2, 1])
    #expect(throws: KernelError.self) { try Broadcast([shape, shape], rankLimit: 4) }
    #expect(throws: KernelError.self) { try Broadcast([shape, .scalar], rankLimit: 4) }
    #expect(try Broadcast([shape, shape], rankLimit: 5).rowLength == 4)
  }

  @Test func `an axis of length 1 is repeated`() throws {
    let broadcast = try Broadcast([Shape([2, 1, 3]), Shape([4, 3])])
    #expect(broadcast.shape == [2, 4, 3])
    #expect(broadcast.rowLength == 3)
    #expect(broadcast.outerLengths == [4, 2])
    #expect(broadcast.outerStrides == [[0, 3], [3, 0]])
  }
}
