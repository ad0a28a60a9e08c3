// SPDX-License-Identifier: Apache-2.0

import FileAccess
import GoldenCases
import Martlet
import Npy
import Tensors
import VisionTasks

/// What a run gives back: the outputs as arrays, to be stored or printed.
struct RunOutputs {
  /// One output of the model or signature.
  struct Output {
    let info: Interpreter.TensorInfo
    let type: TensorType
    let array: NpyArray
    /// The names of the elements along the last axis; nil where the model has none.
    let labels: LabelMap?
  }

  let outputs: [Output]

  /// The most values that a document lists, and the most outputs.
  private static let (listedValues, describedOutputs) = (1 << 22, 1 << 18)

  /// Refuses more outputs, or more values of them, than a document lists.
  func checkListed(model: String) throws(CommandError) {
    let count = outputs.reduce(0) { $0 + $1.array.shape.elementCount }
    let surplus =
      outputs.count > Self.describedOutputs
      ? "\(outputs.count) outputs, more than the \(Self.describedOutputs)"
      : count > Self.listedValues
        ? "\(count) values of outputs, more than the \(Self.listedValues)" : nil
    guard let surplus else { return }
    throw .data(
      "\(surplus) that --json lists", location: model,
      hint: "--output-dir stores them as npy files")
  }

  /// The outputs of `interpreter` after a run.
  ///
  /// - Parameters:
  ///   - interpreter: the interpreter.
  ///   - model: the model's file, for errors.
  ///   - labels: names of classes instead of the model's own.
  /// - Throws: `CommandError.inference` for an output without a value.
  init(
    of interpreter: Interpreter, model: String, labels: LabelMap? = nil
  ) throws(CommandError) {
    let own = interpreter.subgraphIndex == 0 ? interpreter.model.outputLabels : []
    let tensors = interpreter.subgraph.outputs
    var outputs: [Output] = []
    for (position, info) in interpreter.outputs.enumerated() {
      outputs.append(
        try naming(model) { () throws(InferenceError) in
          let type = try interpreter.outputType(position)
          return Output(
            info: info, type: type, array: try interpreter.outputArray(position),
            labels: labels
              ?? zip(tensors, own).first { $0.0 == info.index }.flatMap { $0.1 })
        })
    }
    self.outputs = outputs
  }

  /// Writes `out_0.npy`, `out_1.npy`… into `folder`, which is made if it is missing.
  func write(to folder: String) throws(CommandError) {
    do throws(FileSystemError) {
      try Folder.create(at: folder)
      for (position, output) in outputs.enumerated() {
        try output.array.write(to: "\(folder)/out_\(position).npy")
      }
    } catch {
      throw .file(error)
    }
  }

  /// Writes `tensor_<index>.npy` into `folder` for every tensor that the run produced; those of
  /// other subgraphs than the main one go into `subgraph_<n>`.
  static func writeAllTensors(of interpreter: Interpreter, to folder: String) throws(CommandError) {
    let subgraph = interpreter.subgraphIndex
    let location = subgraph == 0 ? folder : "\(folder)/subgraph_\(subgraph)"
    do throws(FileSystemError) {
      try Folder.create(at: location)
      for index in Set(interpreter.subgraph.nodes.flatMap(\.outputs)).sorted() {
        // Handles have no npy form; there is nothing to look at in them.
        guard let (type, bytes) = interpreter.tensor(index),
          let array = try? NpyArray(type, tensorBytes: bytes)
        else { continue }
        try array.write(to: "\(location)/tensor_\(index).npy")
      }
    } catch {
      throw .file(error)
    }
  }
}
