// SPDX-License-Identifier: Apache-2.0

public import Martlet

/// Why a task cannot be set up or run, whatever its model takes.
public enum TaskError: Error, Sendable {
  /// The model cannot be loaded or run.
  case inference(InferenceError)
  /// The model is not one for this task; the sentence says which rule it breaks.
  case incompatibleModel(String)
  /// A file of labels, calibration parameters or words does not fit the model.
  case labels(String)
  /// An option has a value outside its range.
  case invalidOption(String)
  /// What the task is asked about cannot become the model's input.
  case input(String)
  /// A bundle of models cannot be used.
  case bundle(String)
}

extension TaskError: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .inference(let error): "\(error)"
    case .incompatibleModel(let reason), .labels(let reason), .invalidOption(let reason),
      .input(let reason), .bundle(let reason):
      reason
    }
  }
}

extension Interpreter {
  /// Computes the outputs, with the error of tasks.
  package func invokeForTask() throws(TaskError) {
    do throws(InferenceError) { try invoke() } catch { throw .inference(error) }
  }

  /// The values of an output as floats, with the error of tasks.
  package func values(ofOutput index: Int) throws(TaskError) -> [Float] {
    do throws(InferenceError) { return try dequantizedOutput(index) } catch {
      throw .inference(error)
    }
  }

  /// An interpreter for a task.
  package convenience init(
    forTask model: Model, options: Interpreter.Options
  ) throws(TaskError) {
    do throws(InferenceError) { try self.init(model, options: options) } catch {
      throw .inference(error)
    }
  }
}
