// SPDX-License-Identifier: Apache-2.0

import Martlet
import ResourceLimits
import Tensors
import TestSupport
import Testing

/// TensorFlow's operators on lists; golden cases have their values.
@Suite struct TensorListTests {
  private static func interpreter(
    _ golden: String, limits: Limits? = nil
  ) throws -> Interpreter {
    var options = Interpreter.Options()
    options.limits = limits
    return try Interpreter(Goldens.model(golden), options: options)
  }

  /// Why the model does not run on a position, or count, and on values of zero.
  private static func refusal(_ golden: String, _ number: Int32) throws -> String? {
    let interpreter = try interpreter(golden)
    for (index, input) in interpreter.inputs.enumerated() {
      guard let type = input.type, type.elementType == .int32 else { continue }
      try interpreter.setInput(index, Array(repeating: number, count: type.shape.elementCount))
    }
    do throws(InferenceError) {
      try interpreter.invoke()
      return nil
    } catch {
      return error.description
    }
  }

  @Test(arguments: [
    ("FlexTensorListSetItem/f32_known", 4 as Int32, "is 4 of 4 elements", "FlexTensorListSetItem"),
    ("FlexTensorListSetItem/f32_known", -1, "is -1, wanted 0…", "FlexTensorListSetItem"),
    ("FlexTensorListGetItem/f32_position", 4, "is 4 of 4 elements", "FlexTensorListGetItem"),
    ("FlexTensorListGather/f32_positions", 4, "has 4 of 4 elements", "FlexTensorListGather"),
    ("FlexTensorListGather/f32_positions", -1, "negative position", "FlexTensorListGather"),
    ("FlexTensorListScatterV2/f32_counted", 5, "has 5 of 5 elements", "FlexTensorListScatterV2"),
    ("FlexTensorListReserve/f32_zeros", -1, "is -1, wanted 0…", "FlexTensorListReserve"),
    ("FlexTensorListReserve/f32_zeros", .max, "bytes", "FlexTensorListReserve"),
    ("FlexTensorListScatter/f32_rows", .max, "bytes", "FlexTensorListScatter"),
    ("FlexTensorListResize/f32_sizes", -2, "is -2, wanted 0…", "FlexTensorListResize"),
  ])
  func `what lists do not have is refused`(
    golden: String, number: Int32, reason: String, name: String
  ) throws {
    let refusal = try #require(try Self.refusal(golden, number))
    #expect(refusal.contains(reason) && refusal.contains(name), "\(refusal)")
  }

  @Test func `lists of earlier invocations hold no memory`() throws {
    var limits = Limits()
    limits.arenaByteCount = 1 << 15
    let interpreter = try Self.interpreter("FlexTensorListStack/f32_loop", limits: limits)
    for _ in 0..<1000 { try interpreter.invoke() }
    limits.arenaByteCount = 1 << 10
    let small = try Self.interpreter("FlexTensorListStack/f32_loop", limits: limits)
    #expect(throws: InferenceError.self) { try small.invoke() }
  }
}
