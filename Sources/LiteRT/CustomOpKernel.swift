// SPDX-License-Identifier: Apache-2.0

import Martlet

/// A custom operator that a program brings: what LiteRT's C struct of functions is, as a type.
///
/// There is one for each node. It may run on several models at once, so it holds constants only.
public protocol CustomOpKernel: Sendable {
  /// The operator of a node.
  ///
  /// - Parameter options: the bytes of the node's custom options.
  /// - Throws: what keeps the model from being compiled.
  init(options: [UInt8]) throws

  /// The layouts of the outputs.
  ///
  /// It is asked again when an input has other dimensions.
  ///
  /// - Parameters:
  ///   - inputs: the layouts of the inputs.
  ///   - outputCount: how many outputs the node has.
  /// - Returns: a layout for each output, with no dimension open.
  /// - Throws: what keeps the model from being prepared.
  func outputLayouts(_ inputs: [Layout], outputCount: Int) throws -> [Layout]

  /// Computes the outputs from the inputs.
  ///
  /// - Throws: what makes the run fail.
  func run(_ inputs: [TensorBuffer], _ outputs: [TensorBuffer]) throws
}

/// A custom operator as functions, in place of LiteRT's C struct of this name.
public struct LiteRtCustomOpKernel: Sendable {
  /// Takes the bytes of a node's custom options.
  public var initialize: (@Sendable (_ options: [UInt8]) throws -> Void)?
  /// Gives the layouts of the outputs.
  public var outputLayouts: (@Sendable (_ inputs: [Layout], _ count: Int) throws -> [Layout])?
  /// Computes the outputs.
  public var run: (@Sendable (_ inputs: [TensorBuffer], _ outputs: [TensorBuffer]) throws -> Void)?

  /// No functions: a model with the operator is refused.
  public init() {}
}

/// A custom operator as the engine knows it.
struct CustomOperation: Operator {
  typealias Layouts = @Sendable ([Layout], Int) throws -> [Layout]
  typealias Run = @Sendable ([TensorBuffer], [TensorBuffer]) throws -> Void

  let layouts: Layouts
  let run: Run

  /// The operator that a type makes of a node's options.
  init<Kernel: CustomOpKernel>(_ type: Kernel.Type, _ options: [UInt8]) throws(KernelError) {
    let kernel: Kernel
    do { kernel = try Kernel(options: options) } catch { throw .invalid("\(error)") }
    layouts = { try kernel.outputLayouts($0, outputCount: $1) }
    run = { try kernel.run($0, $1) }
  }

  /// The operator of these functions.
  init(_ kernel: LiteRtCustomOpKernel, _ options: [UInt8]) throws(KernelError) {
    guard let layouts = kernel.outputLayouts, let run = kernel.run else {
      throw .unsupported("its kernel lacks functions")
    }
    do { try kernel.initialize?(options) } catch { throw .invalid("\(error)") }
    self.layouts = layouts
    self.run = run
  }

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    var inputs: [Martlet.TensorType] = []
    for position in node.inputs.indices { inputs.append(try node.input(position)) }
    let declared = node.declaredOutputs
    let found: [Layout]
    do {
      found = try layouts(
        inputs.map { Layout(dimensions: $0.shape.dimensions) }, declared.count)
    } catch {
      throw .invalid("\(error)")
    }
    guard found.count == declared.count else {
      throw .invalid("\(found.count) layouts, wanted \(declared.count)")
    }
    var outputs: [Martlet.TensorType] = []
    for (type, layout) in zip(declared, found) {
      guard let shape = try? Shape(layout.dimensions) else {
        throw .invalid("no tensor has the dimensions \(layout.dimensions)", .output(outputs.count))
      }
      outputs.append(type.with(shape: shape))
    }
    var prepared = Prepared(
      outputs: outputs, kernel: CustomRun(inputs: inputs, outputs: outputs, run: run))
    prepared.isPure = false
    return prepared
  }
}

/// The run of a custom operator on copies of its tensors.
private final class CustomRun: Kernel {
  let inputs: [Martlet.TensorType]
  let outputs: [Martlet.TensorType]
  let run: CustomOperation.Run

  init(
    inputs: [Martlet.TensorType], outputs: [Martlet.TensorType],
    run: @escaping CustomOperation.Run
  ) {
    self.inputs = inputs
    self.outputs = outputs
    self.run = run
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    do {
      let operands = try inputs.map { try TensorBuffer($0) }
      for (position, buffer) in operands.enumerated() {
        let values = frame.input(position, as: UInt8.self)
        unsafe try buffer.withBytes { bytes throws(LiteRtError) in
          unsafe values.withUnsafeBytes { unsafe bytes.copyMemory(from: $0) }
        }
      }
      let results = try outputs.map { try TensorBuffer($0) }
      try run(operands, results)
      for (position, buffer) in results.enumerated() {
        var values = frame.output(position, as: UInt8.self)
        unsafe try buffer.withBytes { bytes throws(LiteRtError) in
          unsafe values.withUnsafeMutableBytes { target in
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<target.count]))
          }
        }
      }
    } catch {
      throw .invalid("\(error)")
    }
  }
}

extension TensorBuffer {
  /// A buffer for the values of a tensor.
  fileprivate convenience init(_ type: Martlet.TensorType) throws {
    try self.init(
      environment: Environment(), bufferType: .hostMemory,
      tensorType: TensorType(
        elementType: ElementType(type.elementType),
        layout: Layout(dimensions: type.shape.dimensions)),
      size: type.byteCount ?? 0)
  }
}
