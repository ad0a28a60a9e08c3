// SPDX-License-Identifier: Apache-2.0

public import Martlet
internal import ModelFormat
public import Npy
internal import Tensors

/// Records a run while it goes on: values go to an npz file at once, what remains is the rest.
final class TraceRecorder: InferenceObserver {
  private(set) var trace = Trace()
  /// What went wrong while a tensor was written; nothing is recorded after it.
  private(set) var failure: NpzFileError?
  private let model: Model
  private let writer: NpzWriter?
  private let invocationLimit: Int
  private let stop: () -> Void
  /// Where each subgraph that ran stands in the trace, by its index.
  private var positions: [Int: Int] = [:]

  /// A recorder of one run of `model`.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - writer: who gets the values; nil where nobody wants them.
  ///   - invocationLimit: how many runs of each subgraph are recorded.
  ///   - stop: ends the run; called when a tensor cannot be written.
  init(
    of model: Model, writer: NpzWriter?, invocationLimit: Int, stop: @escaping () -> Void
  ) {
    self.model = model
    self.writer = writer
    self.invocationLimit = invocationLimit
    self.stop = stop
  }

  func willRun(_ record: SubgraphRecord) {
    let index = record.subgraph
    let position = positions[index] ?? trace.subgraphs.count
    if positions.updateValue(position, forKey: index) == nil {
      trace.subgraphs.append(
        Trace.Subgraph(
          index: index, name: model.file.subgraphs[index].name, invocationCount: 0,
          recordedCount: 0))
    }
    trace.subgraphs[position].invocationCount += 1
    guard let invocation = invocation(of: index) else { return }
    trace.subgraphs[position].recordedCount += 1
    for (tensor, type, bytes) in record.inputs {
      add(
        TensorLocation(subgraph: index, invocation: invocation, tensor: tensor), type, bytes,
        node: nil)
    }
  }

  func didEvaluate(_ record: NodeRecord) {
    guard let invocation = invocation(of: record.subgraph) else { return }
    trace.nodes.append(
      Trace.Node(
        subgraph: record.subgraph, invocation: invocation, node: record.node,
        operatorName: record.operatorName, kernelName: record.kernelName,
        duration: record.duration, outputs: record.outputs.map(\.tensor)))
    for (tensor, type, bytes) in record.outputs {
      add(
        TensorLocation(subgraph: record.subgraph, invocation: invocation, tensor: tensor), type,
        bytes, node: record.node)
    }
  }

  /// How often the subgraph that runs had run before; nil where it is not recorded any more.
  private func invocation(of subgraph: Int) -> Int? {
    guard failure == nil, let position = positions[subgraph] else { return nil }
    let invocation = trace.subgraphs[position].invocationCount - 1
    return invocation < invocationLimit ? invocation : nil
  }

  private func add(_ location: TensorLocation, _ type: TensorType, _ bytes: TensorBytes, node: Int?)
  {
    guard failure == nil else { return }
    let name = model.file.subgraphs[location.subgraph].tensors[location.tensor].name
    var arrayName: String?
    var statistics: TensorStatistics?
    // Handles have no npy form; there is nothing to look at in them.
    if let array = try? NpyArray(type, tensorBytes: bytes.array()) {
      arrayName = TraceName(location, tensorName: name).text
      statistics = TensorStatistics(type, array)
      do throws(NpzFileError) {
        if let arrayName { try writer?.add(arrayName, array) }
      } catch {
        failure = error
        stop()
        return
      }
    }
    trace.tensors.append(
      Trace.Tensor(
        location: location, name: name, node: node, type: type, arrayName: arrayName,
        statistics: statistics))
  }
}

/// Why a run cannot be recorded.
public enum TraceError: Error, Sendable {
  /// The model cannot be prepared or run.
  case inference(InferenceError)
  /// The npz file cannot be written.
  case file(NpzFileError)
}

extension Interpreter {
  /// How many runs of each subgraph are recorded unless a caller says otherwise.
  public static let recordedInvocations = 100

  /// Runs the model on the current inputs and records every tensor that is given or computed.
  ///
  /// Nodes are computed one by one, with the same results as otherwise. Values go to `writer`,
  /// each as soon as it exists, under the names of `TraceName`; no more than one tensor is held.
  /// Other observers are told, too.
  ///
  /// - Parameters:
  ///   - writer: who gets the values; the caller finishes it. Nil records all but the values.
  ///   - invocationLimit: how many runs of each subgraph are recorded: the first ones. Loops run
  ///     theirs many times.
  /// - Returns: what happened, with statistics of the values.
  /// - Throws: `TraceError` where the run fails or a value cannot be written.
  public func trace(
    into writer: NpzWriter? = nil, invocationLimit: Int = recordedInvocations
  ) throws(TraceError) -> Trace {
    let recorder = TraceRecorder(
      of: model, writer: writer, invocationLimit: invocationLimit, stop: { self.cancel() })
    let others = observers
    observers = others + [recorder]
    defer { observers = others }
    do throws(InferenceError) { try invoke() } catch {
      if let failure = recorder.failure { throw .file(failure) }
      throw .inference(error)
    }
    if let failure = recorder.failure { throw .file(failure) }
    return recorder.trace
  }
}
