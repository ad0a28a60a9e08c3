// SPDX-License-Identifier: Apache-2.0

public import Martlet
public import Npy
import Traces

/// How runs are compared.
public struct ComparisonOptions: Sendable {
  /// What numbers may be off by before they count as different; nil for equal integers and
  /// quantized values, and `Tolerance.usual` for all else.
  public var tolerance: Tolerance?
  /// Which nodes are computed by themselves, too.
  public var isolation = Isolation.none
  /// How many runs of each subgraph are compared: the first ones.
  public var invocationLimit = Interpreter.recordedInvocations

  /// Which nodes are computed on recorded inputs.
  public enum Isolation: Sendable, Equatable {
    /// None.
    case none
    /// Every node, up to the first that errs by itself.
    case firstCulprit
    /// Every node.
    case every
  }

  /// The usual tolerance, and no node by itself.
  public init() {}
}

extension Interpreter {
  /// Runs the model on the current inputs and compares every tensor with a recorded run.
  ///
  /// Nodes that are computed by themselves get the recorded values of their inputs; where the
  /// models differ, as real numbers in the form of this model's tensors. Nodes that run subgraphs
  /// are left out then, as the subgraphs' nodes are compared. Inputs for which nothing is recorded
  /// have the values of this run if `Options.keepsAllTensors` is set, else the node is left out.
  /// Variables start as in a new interpreter, whatever the run finds in them.
  ///
  /// - Parameters:
  ///   - run: the run that is the reference.
  ///   - options: what is compared, and how exactly.
  /// - Returns: a row for each tensor that a node computed.
  /// - Throws: `ComparisonError` where the run fails, the recorded tensors cannot be read, or none
  ///   of them belongs to a node of this model.
  public func compared(
    with run: RecordedRun, options: ComparisonOptions = .init()
  ) throws(ComparisonError) -> RunComparison {
    let recorded = RecordedTensors(run, for: model, root: subgraphIndex)
    let observer = ComparingObserver(self, recorded, options)
    let others = observers
    observers = others + [observer]
    defer { observers = others }
    do throws(InferenceError) { try invoke() } catch {
      throw observer.failure ?? .inference(error)
    }
    if let failure = observer.failure { throw failure }
    let comparison = observer.comparison
    guard comparison.tensors.isEmpty || comparison.unpairedCount < comparison.tensors.count else {
      throw .mismatch("none of the recorded tensors is one that the model computes")
    }
    return comparison
  }
}
