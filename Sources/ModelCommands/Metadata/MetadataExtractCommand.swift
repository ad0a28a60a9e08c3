// SPDX-License-Identifier: Apache-2.0

import Compression
import FileAccess
import JSONDocuments
import Martlet

/// `martlet metadata extract`: metadata and associated files as files.
enum MetadataExtractCommand {
  /// The file with what `metadata show --json` prints.
  static let documentName = "metadata.json"

  static let description = CommandDescription(
    "extract", "Write a model's associated files and metadata.json into a folder.",
    discussion: """
      metadata.json is what 'metadata show --json' prints; 'metadata add --json-file' reads it and \
      takes the files from the same folder. Nothing is written unless all files can be read and \
      have names inside the folder.
      """,
    arguments: [MetadataCommand.model],
    options: [
      .outputFolder("Where the files go; made where it is missing."),
      .json,
    ]
  ) { arguments, console throws(CommandError) in
    let path = try arguments.required("model")
    guard let folder = arguments.value("output-dir") else {
      throw arguments.usage("missing '--output-dir'")
    }
    let model = try console.model(at: path)
    let report = MetadataReport(model)
    if let problem = report.problem {
      throw .data("metadata cannot be read: \(problem)", location: path)
    }
    let files: [AssociatedFileContents]
    do throws(MetadataError) {
      files = try model.associatedFiles()
      try check(files.map(\.name))
    } catch {
      throw CommandError(error, model: path)
    }
    let document = report.document(path: path)
    do throws(FileSystemError) {
      try Folder.create(at: folder)
      for file in files {
        let target = "\(folder)/\(file.name)"
        if file.name.contains("/"), let parent = Folder.parent(of: target) {
          try Folder.create(at: parent)
        }
        try OutputFile.write(file.contents, to: target)
      }
      try OutputFile.write(
        Array((document.prettyText + "\n").utf8), to: "\(folder)/\(documentName)")
    } catch {
      throw .file(error)
    }
    let names = files.map(\.name) + [documentName]
    if arguments.flag("json") {
      try console.print(document.adding(["output_dir": .string(folder)]))
    } else {
      for name in names { try console.print("\(folder)/\(name.printable)") }
    }
    return .success
  }

  /// Throws where a name leads out of the folder, or is another file's folder or the document's.
  private static func check(_ names: [String]) throws(MetadataError) {
    var folders: Set<Substring> = []
    for name in names {
      guard name.isSafePath else { throw .unsafeName(name) }
      var rest = name[...]
      while let slash = rest.lastIndex(of: "/") {
        rest = rest[..<slash]
        folders.insert(rest)
      }
    }
    for name in names + [documentName] where folders.contains(name[...]) {
      throw .duplicateName(name)
    }
    if names.contains(documentName) { throw .duplicateName(documentName) }
  }
}
