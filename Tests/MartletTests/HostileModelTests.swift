// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Martlet
import SeededRandom
import TestSupport
import Testing

/// Damaged models: each is refused with an error or runs, and nothing traps.
@Suite struct HostileModelTests {
  static let small = Goldens.path("CONV_2D/i8_pc_q_dilated/model.tflite")

  static func bytes(_ path: String) throws -> [UInt8] {
    try InputFile.bytes(at: path)
  }

  /// Loads and runs a model on zeros; whether that worked.
  static func runs(_ bytes: [UInt8]) -> Bool {
    do throws(InferenceError) {
      var options = Interpreter.Options()
      options.limits = Limits(
        tensorByteCount: 1 << 26, stringByteCount: 1 << 26, arenaByteCount: 1 << 26)
      let interpreter = try Interpreter(Model(bytes: bytes), options: options)
      try interpreter.invoke()
      return true
    } catch {
      return false
    }
  }

  @Test func `the undamaged model runs`() throws {
    #expect(Self.runs(try Self.bytes(Self.small)))
  }

  @Test func `every prefix is refused`() throws {
    let whole = try Self.bytes(Self.small)
    for length in 0..<whole.count where Self.runs(Array(whole.prefix(length))) {
      Issue.record("a model cut off after \(length) of \(whole.count) bytes ran")
    }
  }

  @Test func `no damaged byte traps`() throws {
    var model = try Self.bytes(Self.small)
    var survived = 0
    for index in model.indices {
      let original = model[index]
      for damaged in [original ^ 1, original ^ 0x80, 0, 0xFF] where damaged != original {
        model[index] = damaged
        if Self.runs(model) { survived += 1 }
      }
      model[index] = original
    }
    // Damage to weights and names does not keep a model from running.
    #expect(survived > 0)
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `no damaged network traps`(seed: UInt64) throws {
    let whole = try Self.bytes(TestModels.path("Models/digits/digits_int8.tflite"))
    var random = SeededRandom(seed: seed)
    for _ in 0..<40 {
      var model = whole
      // The tables lie at both ends of the weights: aim at the last ten thousand bytes.
      for _ in 0..<Int(random.next() % 4) + 1 {
        let index = model.count - 1 - Int(random.next() % 24_000)
        model[index] = UInt8(truncatingIfNeeded: random.next())
      }
      _ = Self.runs(model)
    }
  }

  /// What the model says that has `changed` instead of `numbers`, wherever these stand in it.
  private func refusals(
    _ golden: String, _ numbers: [Int32], _ changed: [Int32]
  ) throws -> [String] {
    let bytes = { (numbers: [Int32]) in
      numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    }
    let whole = try Self.bytes(Goldens.path(golden))
    let (old, new) = (bytes(numbers), bytes(changed))
    var refusals: [String] = []
    for start in 0...whole.count - old.count
    where Array(whole[start..<start + old.count]) == old {
      var model = whole
      model.replaceSubrange(start..<start + old.count, with: new)
      do throws(InferenceError) {
        let interpreter = try Interpreter(Model(bytes: model))
        try interpreter.invoke()
      } catch {
        refusals.append("\(error)")
      }
    }
    return refusals
  }

  /// Shapes of outputs follow from those of inputs, so kernels would be prepared for others than
  /// they find.
  @Test func `a node that reads what it writes is refused`() throws {
    // Tensors 0 and 1 are the inputs of the graph and of its only node, tensor 2 is the output.
    let refusals = try refusals("ADD/f32_both/model.tflite", [2, 0, 1], [2, 0, 2])
    #expect(
      refusals.contains {
        $0.contains("is read before anything has given it a value")
          && $0.contains("operator 0 ADD › input 1")
      })
  }

  /// Of two outputs in one tensor, one would have the other's shape.
  @Test func `a node that writes a tensor twice is refused`() throws {
    let refusals = try refusals(
      "NON_MAX_SUPPRESSION_V5/f32_typical/model.tflite", [3, 6, 7, 8], [3, 6, 8, 8])
    #expect(
      refusals.contains {
        $0.contains("is written although it has a value already")
          && $0.contains("operator 0 NON_MAX_SUPPRESSION_V5 › output 2")
      })
  }

  @Test(.enabled(if: SharedNetworkTests.folder != nil))
  func `published broken files are refused`() throws {
    guard let nets = SharedNetworkTests.folder else { return }
    let folder = nets.deletingLastPathComponent().appendingPathComponent("invalid")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".tflite") }
    #expect(!names.isEmpty)
    for name in names where name != "empty_model.tflite" {
      #expect(!Self.runs(try Self.bytes(folder.appendingPathComponent(name).path)), "\(name)")
    }
  }

  /// Among them models without buffers, without outputs, and with operators that do not exist.
  @Test(.enabled(if: SharedNetworkTests.folder != nil))
  func `no published small model traps`() throws {
    guard let nets = SharedNetworkTests.folder else { return }
    let folder = nets.deletingLastPathComponent().appendingPathComponent("fixtures")
    var ran = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let file = folder.appendingPathComponent("\(name)/model.tflite")
      guard FileManager.default.fileExists(atPath: file.path) else { continue }
      if Self.runs(try Self.bytes(file.path)) { ran += 1 }
    }
    #expect(ran > 100)
  }
}
