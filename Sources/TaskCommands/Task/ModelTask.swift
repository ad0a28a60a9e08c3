// SPDX-License-Identifier: Apache-2.0

package import ModelTasks

/// The tasks for which a model must be given.
package enum ModelTask: String, CaseIterable, Sendable {
  case segment
  case faces
  case hands
  case pose
  case transform
  case embed
  case listen
  case read

  /// The options that say what is found, made or told, and how it is computed.
  package var descriptions: [OptionDescription] {
    switch self {
    case .segment: SegmentTask.descriptions
    case .faces: PointTasks.descriptions("faces", hasBlendshapes: true)
    case .hands: PointTasks.descriptions("hands")
    case .pose: PointTasks.descriptions("people")
    case .transform: TransformTask.descriptions
    case .embed: EmbedTask.descriptions
    case .listen: ListenTask.descriptions
    case .read: ReadTask.descriptions
    }
  }

  /// The task that the arguments ask for.
  ///
  /// - Throws: `CommandError` where an option is wrong, or a model or index cannot be loaded.
  package func prepared(_ setup: TaskSetup) throws(CommandError) -> PreparedTask {
    switch self {
    case .segment: try SegmentTask.prepared(setup)
    case .faces: try PointTasks.faces(setup)
    case .hands: try PointTasks.hands(setup)
    case .pose: try PointTasks.pose(setup)
    case .transform: try TransformTask.prepared(setup)
    case .embed: try EmbedTask.prepared(setup)
    case .listen: try ListenTask.prepared(setup)
    case .read: try ReadTask.prepared(setup)
    }
  }
}

extension LabelOptions {
  /// Refuses names that no class has, and tells a person where classes have none.
  package func check(_ labels: [LabelMap?], _ setup: TaskSetup) throws(CommandError) {
    try checkNames(labels, command: setup.arguments.command)
    if setup.use == .command, labels.allSatisfy({ $0 == nil }) {
      setup.console.note(LabelOptions.missingLabels)
    }
  }
}
