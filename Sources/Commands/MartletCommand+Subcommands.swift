// SPDX-License-Identifier: Apache-2.0

import ImageCommands
import ModelCommands
import TaskCommands

extension MartletCommand {
  /// The subcommands in the order of the help text.
  static let subcommands: [CommandDescription] = [
    RunCommand.description,
    LabelCommand.description,
    DetectCommand.description,
    SegmentCommand.description,
    PointCommands.faces,
    PointCommands.hands,
    PointCommands.pose,
    TransformCommand.description,
    EmbedCommand.description,
    ListenCommand.description,
    ReadCommand.description,
    WorkerCommand.description,
    PreprocessCommand.description,
    CheckCommand.description,
    VerifyCommand.description,
    TraceCommand.description,
    CompareCommand.description,
    EvalCommand.description,
    InspectCommand.description,
    ExplainCommand.description,
    ExtractCommand.description,
    ReportCommand.description,
    MetadataCommand.description,
    BenchCommand.description,
    ImageCommand.description,
    OperatorsCommand.description,
    FetchCommand.description,
    PublishCommand.description,
  ]

  /// What the program shows where nothing is asked of it: the commands that a newcomer needs.
  static let firstSteps = """
    martlet runs TensorFlow Lite models.

      martlet label                a bundled model names bundled
                                   images: a first try
      martlet label MODEL IMAGE    what an image shows
      martlet detect MODEL IMAGE   where things are in it
      martlet run MODEL -i FILE    any model, on any input
      martlet inspect MODEL        what a model holds
      martlet check MODEL          what keeps it from running

    'martlet help' lists all \(subcommands.count) commands, and
    'martlet help label' describes one.
    """
}
