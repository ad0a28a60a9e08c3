// SPDX-License-Identifier: Apache-2.0

import ImageCommands
import ModelCommands

extension MartletCommand {
  /// The subcommands in the order of the help text.
  static let subcommands: [CommandDescription] = [
    RunCommand.description,
    LabelCommand.description,
    DetectCommand.description,
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
}
