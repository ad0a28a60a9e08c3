// SPDX-License-Identifier: Apache-2.0

import Martlet
import ModelTasks

extension Interpreter {
  /// An interpreter of the same model that has not seen anything yet: this one, where invocations
  /// do not depend on earlier ones.
  ///
  /// Some nodes, such as those that learn the noise of a sound, keep what they learn outside the
  /// variables that `resetVariables()` clears.
  func atBeginning() throws(AudioTaskError) -> Interpreter {
    if restart(threadCount: options.threadCount) { return self }
    let (model, options) = (model, options)
    let other = try AudioTaskError.task { () throws(TaskError) in
      try Interpreter(forTask: model, options: options)
    }
    other.observers = observers
    other.isCancelled = isCancelled
    return other
  }
}
