// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import FlatBuffers
import Foundation
import Martlet
import ModelSchema
import Tensors
import TestSupport

/// Small models whose outputs show what went in.
enum AudioModel {
  /// The output is the negative input.
  static func negative(
    _ shape: [Int], signature: [Int]? = nil, outputSignature: [Int]? = nil
  ) throws -> Model {
    var model = DrawnModel()
    let input = model.tensor(shape, signature: signature)
    let output = model.tensor(shape, signature: outputSignature ?? signature, name: "negative")
    model.node(.neg, [input], [output])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], [output])
    return try model.loaded()
  }

  /// The output is the input as float32.
  static func cast(_ shape: [Int], from type: ElementType) throws -> Model {
    var model = DrawnModel()
    let (input, output) = (model.tensor(shape, type), model.tensor(shape))
    model.node(.cast, [input], [output])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], [output])
    return try model.loaded()
  }

  /// The outputs are the first input times the second, and the negative first input.
  static func product(_ shape: [Int], second: [Int] = []) throws -> Model {
    var model = DrawnModel()
    let (input, rate) = (model.tensor(shape), model.tensor(second))
    let (product, negative) = (model.tensor(shape), model.tensor(shape))
    model.node(.mul, [input, rate], [product])
    model.node(.neg, [input], [negative])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input, rate], [product, negative])
    return try model.loaded()
  }

  /// A clip of one channel whose samples are 1, 2, 3 and so on, divided by 64.
  static func ramp(_ count: Int, rate: Int = 10) -> AudioClip {
    AudioClip(samples: (0..<count).map { Float($0 + 1) / 64 }, sampleRate: rate)
  }
}

/// Models and sounds of other projects.
enum PublishedAudio {
  static func has(_ names: String...) -> Bool { PublishedModels.haveTasks(names) }

  static func model(_ name: String) throws -> Model { try Model(path: PublishedModels.task(name)) }

  static func sound(_ name: String) throws -> AudioClip {
    try WAV.decode([UInt8](Data(contentsOf: URL(fileURLWithPath: PublishedModels.task(name)))))
  }
}
