// SPDX-License-Identifier: Apache-2.0

public import ModelTasks

/// A task that a model fits, and why.
public struct TaskFit: Sendable, Equatable {
  /// What a model takes.
  public enum Subject: String, Sendable {
    case image, sound, text
    /// What another model of a bundle gives.
    case features
  }

  /// The task.
  public let task: ModelTask
  /// What the model takes.
  public let subject: Subject
  /// What in the model tells the task, in a few words.
  public let reason: String
  /// What the model is among several that run the task together; nil where it runs it alone.
  public let part: String?
  /// Why the task refuses the model as it is, although it fits otherwise; nil where it does not.
  public let lack: String?
  /// Whether the metadata tells the task, rather than types and shapes alone.
  public let isSaid: Bool

  /// A task that a model fits.
  init(
    _ task: ModelTask, _ subject: Subject, _ reason: String, part: String? = nil,
    lack: String? = nil, isSaid: Bool = false
  ) {
    self.task = task
    self.subject = subject
    self.reason = reason
    self.part = part
    self.lack = lack
    self.isSaid = isSaid
  }
}
