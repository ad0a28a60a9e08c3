// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import ModelFormat

/// A model of two nodes, taken apart so that tests can spoil each part.
///
/// The slots are those of the schema's tables.
struct SmallModel {
  /// A convolution with options, and a custom operator with an absent input.
  var convolution = FlatTable([
    0: .int(UInt32(0)), 1: .ints([Int32](0...2)), 2: .ints([Int32(3)]), 3: .int(UInt8(1)),
    4: .table(
      FlatTable([
        0: .int(Int8(1)), 1: .int(Int32(2)), 2: .int(Int32(3)), 3: .int(Int8(3)), 4: .int(Int32(4)),
      ])),
  ])
  var custom = FlatTable([
    0: .int(UInt32(1)), 1: .ints([Int32(3), -1]), 2: .ints([Int32(4)]), 5: .bytes([1, 2, 3]),
    7: .bools([true, false]), 8: .ints([Int32(-1), 2]),
  ])
  var operatorCodes = [
    FlatTable([0: .int(Int8(3)), 2: .int(Int32(5))]),
    FlatTable([0: .int(Int8(32)), 1: .string("Mine"), 3: .int(Int32(32))]),
  ]
  var tensors = [
    FlatTable([0: .ints([Int32](arrayLiteral: 1, 4, 4, 1)), 3: .string("input")]),
    FlatTable([
      0: .ints([Int32](arrayLiteral: 2, 1, 1, 1)), 1: .int(Int8(9)), 2: .int(UInt32(1)),
      3: .string("filter"),
      4: .table(
        FlatTable([2: .floats([0.5, 0.25]), 3: .ints([Int64(0), 0]), 6: .int(Int32(0))])),
    ]),
    FlatTable([0: .ints([Int32(2)]), 1: .int(Int8(2)), 3: .string("bias")]),
    FlatTable([
      0: .ints([Int32](arrayLiteral: 1, 2, 2, 2)), 3: .string("middle"),
      7: .ints([Int32](arrayLiteral: -1, 2, 2, 2)),
    ]),
    FlatTable([3: .string("state"), 5: .bool(true), 8: .bool(true)]),
  ]
  var inputs = [Int32(0)]
  var outputs = [Int32(4)]
  var buffers = [FlatTable(), FlatTable([0: .bytes([5, 6], alignment: 16)])]
  var signature = FlatTable([
    0: .tables([FlatTable([0: .string("x"), 1: .int(UInt32(0))])]),
    1: .tables([FlatTable([0: .string("y"), 1: .int(UInt32(4))])]),
    2: .string("serving_default"), 4: .int(UInt32(0)),
  ])
  var metadata = [FlatTable([0: .string("note"), 1: .int(UInt32(1))])]
  var version = UInt32(3)

  var subgraph: FlatTable {
    FlatTable([
      0: .tables(tensors), 1: .ints(inputs), 2: .ints(outputs), 3: .tables([convolution, custom]),
      4: .string("main"),
    ])
  }

  var root: FlatTable {
    FlatTable([
      0: .int(version), 1: .tables(operatorCodes), 2: .tables([subgraph]),
      3: .string("two nodes"), 4: .tables(buffers), 6: .tables(metadata),
      7: .tables([signature]),
    ])
  }

  var bytes: [UInt8] { root.serialized(identifier: "TFL3") }

  /// The model with parts changed by `change`, parsed.
  static func parsed(_ change: (inout SmallModel) -> Void = { _ in }) throws(ModelError)
    -> ModelFile
  {
    var model = SmallModel()
    change(&model)
    let bytes = model.bytes
    return try ModelFile(parsing: bytes.span)
  }
}
