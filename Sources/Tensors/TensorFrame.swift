// SPDX-License-Identifier: Apache-2.0

/// The tensors that one kernel works on, handed out as typed spans.
///
/// Positions are the node's: `input(0)` is its first input. The element types are those that
/// the kernel was prepared for; asking for another type of the same size reads the same bits.
public struct TensorFrame: ~Copyable, Sendable {
  private let inputs: [TensorBytes?]
  private let outputs: [TensorBytes]
  private let scratch: [TensorBytes]
  /// The run that the kernel is part of, which may have to stop; nil outside of runs.
  package let progress: RunProgress?

  /// A frame over these tensors; an absent optional input is nil.
  public init(
    inputs: [TensorBytes?], outputs: [TensorBytes], scratch: [TensorBytes] = [],
    progress: RunProgress? = nil
  ) {
    self.inputs = inputs
    self.outputs = outputs
    self.scratch = scratch
    self.progress = progress
  }

  /// Whether the node has an input at `position`.
  public func hasInput(_ position: Int) -> Bool {
    position < inputs.count && inputs[position] != nil
  }

  /// The values of an input; empty where an optional input is absent.
  @_lifetime(borrow self)
  public func input<Element: TensorElement>(
    _ position: Int, as type: Element.Type = Element.self
  ) -> Span<Element> {
    guard position < inputs.count, let bytes = inputs[position] else { return Span() }
    return unsafe _overrideLifetime(bytes.span(as: type), borrowing: self)
  }

  /// The memory of an input; nil where it is absent.
  package func inputBytes(_ position: Int) -> TensorBytes? {
    position < inputs.count ? inputs[position] : nil
  }

  /// The same tensors with other memory of the kernel's own.
  package func replacingScratch(_ scratch: [TensorBytes]) -> TensorFrame {
    TensorFrame(inputs: inputs, outputs: outputs, scratch: scratch, progress: progress)
  }

  /// The values of an input that the kernel updates: a variable tensor.
  @_lifetime(borrow self)
  public func variable<Element: TensorElement>(
    _ position: Int, as type: Element.Type = Element.self
  ) -> MutableSpan<Element> {
    guard position < inputs.count, let bytes = inputs[position] else { return MutableSpan() }
    return unsafe _overrideLifetime(bytes.unboundMutableSpan(as: type), borrowing: self)
  }

  /// The values of an output, to be written.
  @_lifetime(borrow self)
  public func output<Element: TensorElement>(
    _ position: Int, as type: Element.Type = Element.self
  ) -> MutableSpan<Element> {
    unsafe _overrideLifetime(outputs[position].unboundMutableSpan(as: type), borrowing: self)
  }

  /// Memory that the kernel asked for when it was prepared; its content is undefined at first.
  @_lifetime(borrow self)
  public func scratch<Element: TensorElement>(
    _ position: Int, as type: Element.Type = Element.self
  ) -> MutableSpan<Element> {
    unsafe _overrideLifetime(scratch[position].unboundMutableSpan(as: type), borrowing: self)
  }

  /// The address of an input's first byte, for optimized kernels; nil where it is absent.
  @unsafe
  public func inputAddress(_ position: Int) -> UnsafeRawPointer? {
    guard position < inputs.count, let bytes = inputs[position] else { return nil }
    return unsafe UnsafeRawPointer(bytes.address)
  }

  /// The address of an output's first byte, for optimized kernels.
  @unsafe
  public func outputAddress(_ position: Int) -> UnsafeMutableRawPointer {
    unsafe outputs[position].address
  }

  /// The address of a scratch tensor's first byte, for optimized kernels.
  @unsafe
  public func scratchAddress(_ position: Int) -> UnsafeMutableRawPointer {
    unsafe scratch[position].address
  }
}
