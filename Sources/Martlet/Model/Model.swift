// SPDX-License-Identifier: Apache-2.0

package import ModelFormat
import ReferenceKernels
public import ResourceLimits
package import Tensors

/// A loaded model: immutable, and shared by any number of interpreters on any threads.
///
/// Weights stay in the file's bytes. A mapped file must not be changed or truncated while the
/// model lives: replace it by renaming, or load it with `.copied`.
public final class Model: Sendable {
  /// How a file's bytes get into memory.
  public enum Loading: Sendable {
    /// The file is mapped: its pages are read when they are needed, and shared by processes.
    case mapped
    /// The file is read whole, and may change afterwards.
    case copied
  }

  /// What the model may take: of the file, and of interpreters that are given no other limits.
  public let limits: Limits
  /// Everything the file says.
  package let file: ModelFile
  /// What kernels derived from the weights.
  package let weights: WeightCache
  /// The whole content of the file.
  package let storage: Storage
  /// Whether TFLite's reference kernels refuse an operator of the model, so that only its optimized
  /// ones run it.
  package let isBeyondReference: Bool
  /// The operators of a subgraph, in order, as kernels ask for them; nil where there is none.
  let subgraphOperators: @Sendable (Int) -> [OperatorIdentity]?

  /// The model in the file at `path`.
  ///
  /// - Throws: `InferenceError` when the file cannot be read, is no valid model, or goes beyond
  ///   `limits`.
  public convenience init(
    path: String, loading: Loading = .mapped, limits: Limits = Limits()
  ) throws(InferenceError) {
    let storage: Storage
    do throws(FileError) {
      switch loading {
      case .mapped: storage = try Storage(mapping: path, byteLimit: limits.fileByteCount)
      case .copied: storage = try Storage(reading: path, byteLimit: limits.fileByteCount)
      }
    } catch {
      throw InferenceError(.file(error))
    }
    try self.init(storage, limits)
  }

  /// The model in `bytes`, the whole content of a file, which is copied.
  ///
  /// - Throws: `InferenceError` when the bytes are no valid model, or go beyond `limits`.
  public convenience init(bytes: [UInt8], limits: Limits = Limits()) throws(InferenceError) {
    try self.init(Storage(copying: bytes.span), limits)
  }

  /// The keys of the signatures, in the file's order.
  public var signatureKeys: [String] { file.signatures.map(\.key) }

  private init(_ storage: Storage, _ limits: Limits) throws(InferenceError) {
    self.limits = limits.applied(toFileOf: storage.byteCount)
    self.storage = storage
    do throws(ModelError) {
      file = try ModelFile(parsing: storage.bytes, limits: limits)
      isBeyondReference = file.subgraphs.contains { subgraph in
        subgraph.nodes.contains { OperatorCatalog.isBeyondReference($0.identity) }
      }
      subgraphOperators = file.operators(ofSubgraph:)
    } catch {
      throw InferenceError(.model(error), path: error.path)
    }
    weights = WeightCache(
      file: storage, widenedByteCount: file.halfByteCount,
      byteLimit: self.limits.arenaByteCount / 2)
  }

  /// The value of a tensor that the file holds; nil for a tensor without a buffer.
  ///
  /// - Throws: `InferenceError` where the buffer's size contradicts the tensor's type.
  package func constant(_ tensor: ModelFile.Tensor) throws(InferenceError) -> TensorBytes? {
    guard tensor.externalBuffer == 0 else {
      throw InferenceError(.invalidGraph("its values lie in another file, which is not supported"))
    }
    guard let range = file.values(of: tensor) else { return nil }
    guard let bytes = TensorBytes(storage, offset: range.lowerBound, byteCount: range.count) else {
      throw InferenceError(.invalidGraph("its buffer lies outside the file"))
    }
    if let wanted = tensor.type.byteCount, tensor.sparsity == nil, wanted != range.count {
      throw InferenceError(
        .invalidGraph("its buffer has \(range.count) bytes, \(tensor.type) needs \(wanted)"))
    }
    let alignment = min(max((tensor.type.elementType.bitCount ?? 32) / 8, 1), 8)
    guard bytes.isAligned(to: alignment) else {
      return TensorBytes(copying: bytes.span(as: UInt8.self))
    }
    return bytes
  }
}

extension ModelFile {
  /// The operators of the subgraph at `index`, in order; nil where there is none.
  @Sendable
  fileprivate func operators(ofSubgraph index: Int) -> [OperatorIdentity]? {
    subgraphs.indices.contains(index) ? subgraphs[index].nodes.map(\.identity) : nil
  }

  /// Bytes of float16 constants, which take twice as many once they are widened.
  fileprivate var halfByteCount: Int {
    var halves: Set<Int> = []
    for subgraph in subgraphs {
      for tensor in subgraph.tensors where tensor.type.elementType == .float16 {
        halves.insert(tensor.buffer)
      }
    }
    // Ranges of one file, which may overlap.
    return halves.reduce(0) { sum, buffer in
      min(sum + (buffers.indices.contains(buffer) ? buffers[buffer].count : 0), byteCount)
    }
  }
}
