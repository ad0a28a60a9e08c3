// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Foundation
import LiteRT
import ModelSchema
import TestSupport

/// Models that the tests run.
enum TestModels {
  /// A sum of two tensors of floats; the signature has -1 for open dimensions.
  static func sum(_ shape: [Int] = [2], signature: [Int]? = nil) -> Data {
    var model = DrawnModel()
    let inputs = (0..<2).map { _ in model.tensor(shape, signature: signature) }
    let output = model.tensor(shape, signature: signature)
    model.graphs[0].inputs = inputs
    model.graphs[0].outputs = [output]
    model.node(.add, inputs, [output])
    return Data(model.bytes)
  }

  /// The sum of `left` and `right`, called `sum`.
  static func named() -> Data {
    var model = DrawnModel()
    let inputs = ["left", "right"].map { model.tensor([2], name: $0) }
    let output = model.tensor([2], name: "sum")
    model.graphs[0].inputs = inputs
    model.graphs[0].outputs = [output]
    model.node(.add, inputs, [output])
    return Data(model.bytes)
  }

  /// The signs of numbers, of which there is a reference kernel alone.
  static func signs() -> Data {
    var model = DrawnModel()
    let (input, output) = (model.tensor([4]), model.tensor([4]))
    model.graphs[0].inputs = [input]
    model.graphs[0].outputs = [output]
    model.node(.sign, [input], [output])
    return Data(model.bytes)
  }

  /// A model that negates a vector of four floats again and again.
  static func chain(_ count: Int) -> Data { Data(DrawnModel.chain(count).bytes) }

  /// The path of the bundled classifier of digits, in floats.
  static var digits: String {
    get throws { try BundledModels.path(of: "digits/digits_float32.tflite") }
  }

  /// The sum compiled for the processor.
  static func compiled(_ data: Data = sum()) throws -> CompiledModel {
    try CompiledModel(data: data, environment: Environment())
  }

  /// A buffer of floats.
  static func floats(_ dimensions: [Int], _ values: [Float]) throws -> TensorBuffer {
    let buffer = try TensorBuffer(
      environment: Environment(), bufferType: .hostMemory,
      tensorType: TensorType(elementType: .float32, layout: Layout(dimensions: dimensions)),
      size: values.count * 4)
    try buffer.write(values)
    return buffer
  }
}
