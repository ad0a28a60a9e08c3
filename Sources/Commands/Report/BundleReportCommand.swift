// SPDX-License-Identifier: Apache-2.0

import AuditFacts
import AuditReports
import Compression
import FileAccess
import Imaging
import Martlet
import ModelTasks
import VisionTasks

/// `martlet report` of a `.task` file.
struct BundleReportCommand {
  private let command: ReportCommand
  private let arguments: ParsedArguments
  private var path: String { command.path }
  private var console: any Console { command.console }

  init(_ command: ReportCommand, _ arguments: ParsedArguments) {
    self.command = command
    self.arguments = arguments
  }

  /// The report about a bundle, or about the model of a file that is none.
  func document() throws(CommandError) -> any ReportDocuments {
    let bytes = try console.read(path)
    do {
      let bundle = try TaskBundle(bytes: bytes, limits: console.limits.forLookingAtValues)
      if bundle.names == [""] { return try command.report(bundle.model(""), path, arguments) }
      let alone = try AuditedBundle(bundle)
      if alone.parts.count == 1 {
        return BundleReport(
          of: alone, fileName: path, reports: [try report(only: alone.parts[0])],
          options: command.options)
      }
      return try report(alone, bundle)
    } catch let error as CommandError {
      throw error
    } catch let error as TaskError {
      throw CommandError(VisionError(error), file: path)
    } catch let error as VisionError {
      throw CommandError(error, file: command.image ?? path)
    } catch let error as ImagingError {
      throw CommandError(VisionError.image(error), file: command.image ?? path)
    } catch {
      throw .data("\(error)", location: path)
    }
  }

  /// The report about several models.
  private func report(_ alone: AuditedBundle, _ bundle: TaskBundle) throws -> BundleReport {
    let names = alone.parts.map(\.name).joined(separator: ", ")
    guard !alone.parts.isEmpty else {
      throw CommandError.data("the bundle holds no model", location: path)
    }
    guard command.sound == nil, command.text == nil else {
      throw arguments.usage("--sound and --text need one model, and the bundle has \(names)")
    }
    guard command.inputs.files.isEmpty, command.inputs.shapes.isEmpty else {
      throw arguments.usage("--input and --resize need one model, and the bundle has \(names)")
    }
    guard let image = command.image else {
      return BundleReport(
        of: alone, fileName: path, reports: try alone.parts.map { try report($0, imageName: nil) },
        options: command.options)
    }
    let file = try console.read(image)
    let decoded = try decodedImage(file, path: image, limits: console.limits)
    let audited = try AuditedBundle(
      bundle,
      image: BundleImage(
        PixelBuffer(decoded), orientation: decoded.orientation ?? .up,
        fileName: Folder.lastName(of: image),
        fileDigest: SHA256.hexadecimalDigest(file.span)),
      options: command.computation.interpreter, count: command.options.topCount)
    return BundleReport(
      of: audited, fileName: path,
      reports: try audited.parts.map {
        try report($0, imageName: Folder.lastName(of: image))
      },
      options: command.options)
  }

  /// The report about the only model, as of a file of its own.
  private func report(only part: AuditedBundle.Part) throws(CommandError) -> AuditReport {
    var own = command
    own.options.command = ""
    return try own.report(part.model, location(of: part), arguments)
  }

  /// The report about one of several models, with the inputs that the task gave it, or made-up ones.
  private func report(
    _ part: AuditedBundle.Part, imageName: String?
  ) throws(CommandError) -> AuditReport {
    var options = command.options
    options.command = ""
    options.inputOrigin = InputOrigin(part, imageName: imageName)
    let interpreter: Interpreter
    if let ran = part.interpreter {
      interpreter = ran
    } else {
      interpreter = try naming(location(of: part)) { () throws(InferenceError) in
        try Interpreter(part.model, options: command.computation.interpreter)
      }
      try command.inputs.apply(
        to: interpreter, model: location(of: part), command: arguments.command, console: console)
    }
    return try ReportCommand.audited(interpreter, location(of: part), nil, nil, options)
  }

  private func location(of part: AuditedBundle.Part) -> String { "\(path)/\(part.name)" }
}
