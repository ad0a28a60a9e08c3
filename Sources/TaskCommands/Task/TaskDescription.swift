// SPDX-License-Identifier: Apache-2.0

package import ModelTasks

/// A task that needs a model to be given: its options, and what asks the model.
package struct TaskDescription: Sendable, Equatable {
  /// The task.
  package let task: ModelTask
  /// The options that say what is found, made or told, and how it is computed.
  package let options: [OptionDescription]
  /// Reads the options and loads the models.
  package let prepare: @Sendable (TaskSetup) throws(CommandError) -> PreparedTask

  private init(
    _ task: ModelTask, _ options: [OptionDescription],
    _ prepare: @escaping @Sendable (TaskSetup) throws(CommandError) -> PreparedTask
  ) {
    self.task = task
    self.options = options
    self.prepare = prepare
  }

  package static func == (first: TaskDescription, second: TaskDescription) -> Bool {
    first.task == second.task
  }

  static let segment = TaskDescription(.segment, SegmentTask.descriptions, SegmentTask.prepared)
  static let faces = TaskDescription(
    .faces, PointTasks.descriptions("faces", hasBlendshapes: true), PointTasks.faces)
  static let hands = TaskDescription(.hands, PointTasks.descriptions("hands"), PointTasks.hands)
  static let pose = TaskDescription(.pose, PointTasks.descriptions("people"), PointTasks.pose)
  static let transform = TaskDescription(
    .transform, TransformTask.descriptions, TransformTask.prepared)
  static let embed = TaskDescription(.embed, EmbedTask.descriptions, EmbedTask.prepared)
  static let listen = TaskDescription(.listen, ListenTask.descriptions, ListenTask.prepared)
  static let read = TaskDescription(.read, ReadTask.descriptions, ReadTask.prepared)

  /// All of them.
  package static let all = [segment, faces, hands, pose, transform, embed, listen, read]
}
