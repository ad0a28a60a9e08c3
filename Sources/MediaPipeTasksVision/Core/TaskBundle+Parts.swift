// SPDX-License-Identifier: Apache-2.0

import Foundation
import Martlet
import MediaPipeTasksCommon
import ModelTasks

extension TaskBundle {
  /// A model of the bundle, with the errors of these interfaces.
  func part(_ name: String) throws(NSError) -> Model {
    try TasksErrorCode.converting { () throws(TaskError) in try model(name) }
  }

  /// The bytes of a file of the bundle, with the errors of these interfaces.
  func contentsOfPart(_ name: String) throws(NSError) -> [UInt8] {
    try TasksErrorCode.converting { () throws(TaskError) in try contents(of: name) }
  }

  /// A bundle in the bundle, with the errors of these interfaces.
  func inner(_ name: String) throws(NSError) -> TaskBundle {
    try TasksErrorCode.converting { () throws(TaskError) in try bundle(name) }
  }
}

extension Int64 {
  /// So many milliseconds in nanoseconds, at most what 64 bits hold.
  var nanoseconds: Int64 {
    let (product, overflows) = multipliedReportingOverflow(by: 1_000_000)
    return overflows ? (self < 0 ? .min : .max) : product
  }
}
