// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Martlet
import Testing

/// Several signatures of one model.
@Suite struct SignatureTests {
  /// Two subgraphs around one variable of two floats: `store` assigns it, `load` reads it.
  static var model: [UInt8] {
    let floats = FlatTable([0: .ints([Int32(2)]), 3: .string("values")])
    let handle = FlatTable([0: .ints([Int32(1)]), 1: .int(Int8(13)), 3: .string("handle")])
    let handleOptions = FlatField.table(FlatTable([1: .string("history")]))
    func node(_ code: UInt32, _ inputs: [Int32], _ outputs: [Int32]) -> FlatTable {
      var node = FlatTable([0: .int(code), 1: .ints(inputs), 2: .ints(outputs)])
      if code == 0 { (node.fields[3], node.fields[4]) = (.int(UInt8(111)), handleOptions) }
      return node
    }
    let store = FlatTable([
      0: .tables([floats, handle]), 1: .ints([Int32(0)]), 2: .ints([] as [Int32]),
      3: .tables([node(0, [], [1]), node(2, [1, 0], [])]),
    ])
    let load = FlatTable([
      0: .tables([floats, handle]), 1: .ints([] as [Int32]), 2: .ints([Int32(0)]),
      3: .tables([node(0, [], [1]), node(1, [1], [0])]),
    ])
    let tensor = FlatField.tables([FlatTable([0: .string("values"), 1: .int(UInt32(0))])])
    let codes = [142, 143, 144].map { code in
      FlatTable([0: .int(Int8(127)), 2: .int(Int32(1)), 3: .int(Int32(code))])
    }
    let root = FlatTable([
      0: .int(UInt32(3)), 1: .tables(codes), 2: .tables([store, load]),
      4: .tables([FlatTable()]),
      7: .tables([
        FlatTable([0: tensor, 2: .string("store"), 4: .int(UInt32(0))]),
        FlatTable([1: tensor, 2: .string("load"), 4: .int(UInt32(1))]),
      ]),
    ])
    return root.serialized(identifier: "TFL3")
  }

  @Test func `signatures that share see each other's variables`() throws {
    let store = try Interpreter(Model(bytes: Self.model), signature: "store")
    let load = try Interpreter(sharing: store, signature: "load")
    for values in [[1, 2], [-3, 0.5]] as [[Float]] {
      try store.setInput(0, values)
      try store.invoke()
      try load.invoke()
      #expect(try load.output(0, as: Float.self) == values)
    }
    #expect(throws: InferenceError.self) { try Interpreter(sharing: store, signature: "none") }
  }

  @Test func `interpreters of their own do not`() throws {
    let model = try Model(bytes: Self.model)
    let store = try Interpreter(model, signature: "store")
    try store.setInput(0, [1, 2] as [Float])
    try store.invoke()
    let load = try Interpreter(model, signature: "load")
    #expect(throws: InferenceError.self) { try load.invoke() }
  }
}
