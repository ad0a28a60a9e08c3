// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Martlet
import Npy
import Tensors
import TestSupport
import Testing
import Traces

/// Models of the repository.
enum RepositoryModels {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// The digit classifier in a number format.
  static func digits(_ format: String) throws -> Model {
    try Model(path: "\(root)/Models/digits/digits_\(format).tflite")
  }

  /// The same with a part of its tensors' names replaced by another of the same length.
  static func digits(_ format: String, replacing name: String, by other: String) throws -> Model {
    precondition(name.utf8.count == other.utf8.count, "offsets must stay")
    var bytes = try InputFile.bytes(at: "\(root)/Models/digits/digits_\(format).tflite")
    let (name, other) = (Array(name.utf8), Array(other.utf8))
    for start in 0...(bytes.count - name.count)
    where bytes[start..<start + name.count].elementsEqual(name) {
      bytes.replaceSubrange(start..<start + name.count, with: other)
    }
    return try Model(bytes: bytes)
  }
}

/// An interpreter whose inputs hold bytes that follow from a seed; floats lie between 1 and 2.
func interpreter(
  of model: Model, options: Interpreter.Options = .init(), seed: UInt8 = 1
) throws -> Interpreter {
  let interpreter = try Interpreter(model, options: options)
  for (position, info) in interpreter.inputs.enumerated() {
    let isFloat = info.type?.elementType == .float32
    var state = UInt32(seed)
    let bytes = (0..<(info.type?.byteCount ?? 0)).map { location in
      state = state &* 1_664_525 &+ 1_013_904_223
      return isFloat && location % 4 == 3
        ? UInt8(0x3F)
        : UInt8(truncatingIfNeeded: state >> 24) | (isFloat && location % 4 == 2 ? 0x80 : 0)
    }
    try interpreter.setInput(position, bytes: bytes)
  }
  return interpreter
}

/// Traces.
@Suite struct TraceTests {
  /// A writer into memory, and what it wrote.
  final class Sink {
    var bytes: [UInt8] = []
    var limit = Int.max

    func writer(isCompressed: Bool = true) -> NpzWriter {
      NpzWriter(isCompressed: isCompressed) { (bytes) throws(FileSystemError) in
        guard self.bytes.count + bytes.count <= self.limit else {
          throw FileSystemError(.write, path: "sink", code: 28)
        }
        self.bytes += bytes
      }
    }
  }

  @Test(arguments: ["float32", "int8", "dynamic"])
  func `every tensor is what a run leaves behind`(format: String) throws {
    let model = try RepositoryModels.digits(format)
    var options = Interpreter.Options()
    options.keepsAllTensors = true
    let kept = try interpreter(of: model, options: options)
    try kept.invoke()

    let sink = Sink()
    let traced = try interpreter(of: model)
    let writer = sink.writer()
    let trace = try traced.trace(into: writer)
    try writer.finish()
    #expect(traced.observers.isEmpty)
    let file = try NpzFile(parsing: sink.bytes)
    #expect(file.names == trace.tensors.compactMap(\.arrayName))
    #expect(trace.nodes.map(\.node) == Array(trace.nodes.indices))
    #expect(trace.tensors.count == trace.nodes.flatMap(\.outputs).count + 1)
    for tensor in trace.tensors {
      let (type, bytes) = try #require(kept.tensor(tensor.location.tensor))
      #expect(type == tensor.type)
      let name = try #require(tensor.arrayName)
      #expect(TraceName(parsing: name)?.location == tensor.location)
      #expect(TraceName(parsing: name)?.tensorName == tensor.name)
      #expect(try file.array(name) == NpyArray(type, tensorBytes: bytes), "\(name)")
    }
    // The next run is as if nobody had looked.
    try traced.invoke()
    #expect(try traced.outputBytes(0) == kept.outputBytes(0))
  }

  @Test func `rounds of a loop are told apart, and the first ones recorded`() throws {
    let model = try Goldens.model("WHILE/i32_rounds_7")
    let sink = Sink()
    let writer = sink.writer()
    let loop = try Interpreter(model)
    try loop.setInput(0, [Int32(0)])
    try loop.setInput(1, [Int32(1), 2, 3, 4])
    let trace = try loop.trace(into: writer, invocationLimit: 5)
    try writer.finish()
    #expect(trace.subgraphs.map(\.index) == [0, 1, 2])
    #expect(trace.subgraphs.map(\.invocationCount) == [1, 8, 7])
    #expect(trace.subgraphs.map(\.recordedCount) == [1, 5, 5])
    let file = try NpzFile(parsing: sink.bytes)
    // Tensor 3 of the body is the counter, one higher in each round.
    for round in 0..<5 {
      let location = TensorLocation(subgraph: 2, invocation: round, tensor: 3)
      let name = try #require(trace.tensors.first { $0.location == location }?.arrayName)
      #expect(try file.array(name)?.values(as: Int32.self) == [Int32(round + 1)])
    }
    #expect(!trace.tensors.contains { $0.location.invocation >= 5 })
    #expect(trace.nodes.last?.operatorName == "WHILE")
  }

  @Test func `a value that cannot be written ends the run`() throws {
    let sink = Sink()
    sink.limit = 20_000
    let traced = try interpreter(of: try RepositoryModels.digits("float32"))
    #expect(throws: TraceError.self) { _ = try traced.trace(into: sink.writer()) }
    #expect(sink.bytes.count < 20_000)
    #expect(traced.observers.isEmpty)
    _ = try traced.trace()
  }

  @Test func `statistics of floats`() throws {
    let trace = try Self.statistics([0, -0.0, 1, -2, .nan, .infinity, -.infinity, 3])
    #expect(trace.elementCount == 8)
    #expect(trace.minimum == -2)
    #expect(trace.maximum == 3)
    #expect(trace.mean == 2.0 / 5)
    // (0.16 + 0.16 + 0.36 + 5.76 + 6.76) / 5
    #expect(abs((trace.standardDeviation ?? 0) - 2.64.squareRoot()) < 1e-12)
    #expect(trace.zeroCount == 2)
    #expect(trace.nanCount == 1)
    #expect(trace.infinityCount == 2)
    #expect(trace.saturation == nil)
    #expect(trace.histogram.counts.reduce(0, +) == 7)
    #expect(trace.histogram.counts[33] == 2)
    #expect(trace.histogram.counts[0] == 1 && trace.histogram.counts[66] == 1)
    // 1 and 3 lie in the bins of 2⁰ and 2¹, −2 in that of −2¹.
    #expect(trace.histogram.counts[50] == 1 && trace.histogram.counts[51] == 1)
    #expect(trace.histogram.counts[15] == 1)
    #expect(try Self.statistics([.nan]).mean == nil)
    #expect(try Self.statistics([]).minimum == nil)
  }

  @Test func `the model's statistics count saturated codes`() throws {
    let traced = try interpreter(of: try RepositoryModels.digits("int8"))
    let trace = try traced.trace()
    let kept = try Interpreter(try RepositoryModels.digits("int8"), options: Self.keepsAll)
    try kept.setInput(0, bytes: try #require(traced.tensor(0)).bytes)
    try kept.invoke()
    for tensor in trace.tensors {
      let codes = try #require(kept.tensor(tensor.location.tensor)).bytes.map(
        Int8.init(bitPattern:))
      let affine = try #require(tensor.type.quantization?.perTensor)
      let reals = codes.map { Double(affine.scale) * Double(Int32($0) - affine.zeroPoint) }
      let statistics = try #require(tensor.statistics)
      #expect(statistics.saturation?.lowest == codes.count { $0 == -128 })
      #expect(statistics.saturation?.highest == codes.count { $0 == 127 })
      #expect(statistics.minimum == reals.min())
      #expect(statistics.maximum == reals.max())
      #expect(statistics.zeroCount == reals.count { $0 == 0 })
      #expect(statistics.histogram.counts.reduce(0, +) == codes.count)
    }
  }

  @Test func `edges of the histogram`() {
    let edges = Histogram.edges
    #expect(edges.count == Histogram.binCount - 1)
    #expect(edges == edges.sorted())
    for (position, edge) in edges.enumerated() {
      // An edge belongs to the bin farther from zero.
      #expect(Histogram.bin(of: edge) == (edge > 0 ? position + 1 : position))
      #expect(Histogram.bin(of: edge.nextDown) == position)
      #expect(Histogram.bin(of: edge.nextUp) == position + 1)
    }
    #expect(Histogram.bin(of: .nan) == nil)
    #expect(Histogram.bin(of: .leastNonzeroMagnitude) == 33)
  }

  private static var keepsAll: Interpreter.Options {
    var options = Interpreter.Options()
    options.keepsAllTensors = true
    return options
  }

  /// The statistics that a trace gives of an input with these values.
  private static func statistics(_ values: [Float]) throws -> TensorStatistics {
    let traced = try Interpreter(try Goldens.model("ADD/f32_both"))
    for position in 0..<2 { try traced.resizeInput(position, to: try Shape([values.count])) }
    for position in 0..<2 { try traced.setInput(position, values) }
    return try #require(try traced.trace().tensors.first?.statistics)
  }
}
