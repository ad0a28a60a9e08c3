// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// The weights and bias of a node, both part of the model.
struct ConstantWeights {
  /// The filter and the bias as the model has them, by which packed forms are found again, and how
  /// often these have the channels.
  private let key: TensorBytes
  fileprivate let biasKey: TensorBytes?
  private let repetitions: Int
  /// How many groups of channels are one in the filter.
  private let joinedGroups: Int
  /// What of this is derived from what the model has: 1 for the filter and 2 for the bias.
  private let derivation: Int
  private let passingFilter: PassingBytes
  /// The bias, where there is one.
  let bias: TensorBytes?

  /// The weights of a node; nil where they are not constant or not all there.
  ///
  /// `unpacked` is the filter where its weights were narrower than a byte; `biasInput` is where
  /// the node has its bias.
  init?(
    _ node: PrepareContext, unpacked: TensorBytes? = nil, filterByteCount: Int, biasByteCount: Int,
    biasInput: Int = 2
  ) {
    guard node.inputs.count > 1, let operand = node.inputs[1], operand.isConstant,
      let bytes = operand.bytes
    else { return nil }
    (key, repetitions, joinedGroups) = (bytes.derivationSource ?? bytes, 1, 1)
    let derivation = bytes.derivationSource == nil ? 0 : 1
    let filter = unpacked ?? bytes
    passingFilter = PassingBytes(filter)
    guard filter.byteCount >= filterByteCount else { return nil }
    guard node.inputs.count > biasInput, let operand = node.inputs[biasInput] else {
      (bias, biasKey, self.derivation) = (nil, nil, derivation)
      return
    }
    guard operand.isConstant, let bytes = operand.bytes, bytes.byteCount >= biasByteCount else {
      return nil
    }
    (bias, biasKey) = (bytes, bytes.derivationSource ?? bytes)
    self.derivation = derivation + (bytes.derivationSource == nil ? 0 : 2)
  }

  private init(
    _ source: ConstantWeights, filter: TensorBytes, bias: TensorBytes?, repetitions: Int = 1,
    joinedGroups: Int = 1
  ) {
    (key, biasKey) = (source.key, source.biasKey)
    (self.bias, self.repetitions, self.joinedGroups) = (bias, repetitions, joinedGroups)
    (passingFilter, derivation) = (PassingBytes(filter), source.derivation)
  }

  /// The filter, one weight to an element; derived bytes may go with these weights.
  var filter: TensorBytes { passingFilter.values }

  /// The weights of `count` times the channels: `filter`, and the bias so often.
  ///
  /// The bias has `biasByteCount` bytes.
  func repeated(_ count: Int, filter: TensorBytes, biasByteCount: Int) -> ConstantWeights {
    ConstantWeights(
      self, filter: filter,
      bias: bias?.repeatingRows(1, byteCount: biasByteCount, times: count),
      repetitions: count)
  }

  /// The weights where `count` groups of channels are one each, as `filter` has them.
  func joiningGroups(_ count: Int, filter: TensorBytes) -> ConstantWeights {
    ConstantWeights(self, filter: filter, bias: bias, joinedGroups: count)
  }

  /// The filter's first element.
  @unsafe
  func filterAddress<Element>(as type: Element.Type) -> UnsafePointer<Element> {
    unsafe UnsafePointer(filter.address.assumingMemoryBound(to: Element.self))
  }

  /// The bias' first element, where there is one.
  @unsafe
  func biasAddress<Element>(as type: Element.Type) -> UnsafePointer<Element>? {
    unsafe bias.map { unsafe UnsafePointer($0.address.assumingMemoryBound(to: Element.self)) }
  }

  /// The packed form of the weights, made once for a model.
  ///
  /// `form` names what it depends on besides the weights and the bias; `make` gets what to
  /// allocate its memory with.
  func packed<Value: Sendable>(
    in cache: WeightCache, form: WeightForm, make: (AlignedMemory.Allocation) -> Value
  ) -> PackedWeights<Value> {
    // The packed form keeps the bias alive, so that its address stays its own.
    let location = biasKey.map { unsafe Int(bitPattern: $0.address) } ?? 0
    let derived = form.adding([repetitions, joinedGroups, location, derivation])
    return cache.value(for: key, form: derived) {
      // What is read through addresses stays until all of it is packed.
      withExtendedLifetime(passingFilter) {
        guard let memory = cache.memory(for: key) else {
          return PackedWeights(make(AlignedMemory.init(zeroed:)), weights: self)
        }
        return PackedWeights(make { AlignedMemory(memory.take($0)) }, weights: self)
      }
    }
  }
}

/// Bytes that are read for a while, from the first time on that they are asked for.
private final class PassingBytes {
  private let bytes: TensorBytes
  private(set) lazy var values = bytes.passing

  init(_ bytes: TensorBytes) { self.bytes = bytes }
}

/// Weights packed for one kind of kernel, shared by all interpreters of a model.
final class PackedWeights<Value: Sendable>: Sendable {
  /// The packed form.
  let value: Value
  private let bias: TensorBytes?

  fileprivate init(_ value: Value, weights: ConstantWeights) {
    self.value = value
    bias = weights.biasKey
  }
}

extension AlignedMemory {
  /// A piece of the memory of a model's weights, which is as aligned.
  fileprivate convenience init(_ piece: TensorBytes) {
    unsafe self.init(piece.address, byteCount: piece.byteCount, of: piece.storage)
  }
}

extension TensorBytes {
  /// Each of `rowCount` rows of `byteCount` bytes several times.
  func repeatingRows(_ rowCount: Int, byteCount: Int, times: Int) -> TensorBytes {
    let bytes: Span<UInt8> = span()
    var repeated: [UInt8] = []
    repeated.reserveCapacity(rowCount * byteCount * times)
    for row in 0..<rowCount {
      for _ in 0..<times {
        for index in 0..<byteCount { repeated.append(bytes[row * byteCount + index]) }
      }
    }
    return TensorBytes(copying: repeated)
  }
}
