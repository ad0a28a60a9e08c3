// SPDX-License-Identifier: Apache-2.0

/// `martlet metadata show`: what a model says about itself.
enum MetadataShowCommand {
  static let description = CommandDescription(
    "show", "Show what a model says about itself, and the files that it carries.",
    arguments: [MetadataCommand.model], options: [.json]
  ) { arguments, console throws(CommandError) in
    let path = try arguments.required("model")
    let report = MetadataReport(try console.model(at: path))
    if arguments.flag("json") {
      try console.print(report.document(path: path))
    } else {
      try console.print(report.text(inDetail: true) ?? "no metadata and no files")
    }
    return .success
  }
}
