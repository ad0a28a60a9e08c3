// SPDX-License-Identifier: Apache-2.0

public import AudioProcessing
import Martlet
public import ModelTasks

/// Why an audio task cannot be set up or run.
public enum AudioTaskError: Error, Sendable {
  /// The model, its labels or the options do not fit, or the model cannot be run.
  case task(TaskError)
  /// The sound cannot be prepared.
  case audio(AudioProcessingError)
}

extension AudioTaskError: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .task(let error): "\(error)"
    case .audio(let error): "\(error)"
    }
  }

  /// A model that is not one for this task.
  static func incompatibleModel(_ reason: String) -> AudioTaskError {
    .task(.incompatibleModel(reason))
  }

  /// An option that has a value outside its range.
  static func invalidOption(_ reason: String) -> AudioTaskError { .task(.invalidOption(reason)) }

  /// What `body` makes, with the errors of audio tasks.
  static func task<Value>(
    _ body: () throws(TaskError) -> Value
  ) throws(AudioTaskError) -> Value {
    do throws(TaskError) { return try body() } catch { throw .task(error) }
  }

  /// What `body` makes, with the errors of audio tasks.
  static func inference<Value>(
    _ body: () throws(InferenceError) -> Value
  ) throws(AudioTaskError) -> Value {
    do throws(InferenceError) { return try body() } catch { throw .task(.inference(error)) }
  }

  /// What `body` makes, with the errors of audio tasks.
  static func audio<Value>(
    _ body: () throws(AudioProcessingError) -> Value
  ) throws(AudioTaskError) -> Value {
    do throws(AudioProcessingError) { return try body() } catch { throw .audio(error) }
  }
}
