// SPDX-License-Identifier: Apache-2.0

import Foundation
import Martlet

/// Runs a model with an operator that Martlet does not know, but this program does.
///
///     swift run -c release CustomOperator Examples/CustomOperator/mish.tflite
@main
struct CustomOperator {
  static func main() {
    guard CommandLine.arguments.count == 2 else {
      print("usage: CustomOperator MODEL")
      exit(64)
    }
    do {
      var options = Interpreter.Options()
      options.customOperators.register("Mish") { node throws(KernelError) in try Mish(node) }
      let model = try Model(path: CommandLine.arguments[1])
      let interpreter = try Interpreter(model, options: options)
      let inputs: [Float] = [-4, -2, -1, -0.5, 0.5, 1, 2, 4]
      try interpreter.setInput(0, inputs)
      try interpreter.invoke()
      for (x, y) in zip(inputs, try interpreter.output(0, as: Float.self)) {
        print(String(format: "mish(%5.1f) = %8.5f", x, y))
      }
    } catch {
      print("error: \(error)")
      exit(65)
    }
  }
}

/// The activation `Mish` with a factor `beta` in its options.
///
///     y = x · tanh(ln(1 + e^(βx)))
///
/// Diganta Misra: "Mish: A Self Regularized Non-Monotonic Activation Function", 2019.
struct Mish: Operator {
  let beta: Float

  /// Reads the options: they are checked once, when the model is prepared.
  init(_ node: NodeDescription) throws(KernelError) {
    beta = try node.flexOptions()["beta"]?.float ?? 1
    guard beta.isFinite else { throw .invalid("beta is \(beta), wanted a finite number") }
  }

  /// Checks what the node is given and says what it gives: the same type.
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let input = try node.input(0)
    guard input.elementType == .float32 else {
      throw .elementType(input.elementType, .input(0))
    }
    return Prepared(TensorType(.float32, input.shape), MishKernel(beta: beta))
  }
}

/// The loop of `Mish`.
final class MishKernel: Kernel {
  let beta: Float

  init(beta: Float) { self.beta = beta }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Float.self)
    var output = frame.output(0, as: Float.self)
    for index in output.indices {
      output[index] = input[index] * tanh(log1p(exp(beta * input[index])))
    }
  }
}
