// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Formatting
import InferenceRequests
import JSONDocuments
import TaskCommands

/// One line of input: what is asked, and under which name.
struct WorkerRecord {
  /// What is to be answered.
  enum Content {
    /// An image, a sound, a text or an input file at a path; with a question about it, if there is
    /// one.
    case path(String, question: String?)
    /// The bytes of a file, and the member that has them.
    case file([UInt8], member: String)
    /// A text, and a question that words of it answer, if there is one.
    case text(String, question: String?)
    /// Tensors of the Open Inference Protocol; the names of the outputs that are wanted, nil for
    /// all.
    case tensors([InferenceTensor], outputs: [String]?)
  }

  /// The members that say what is asked about: a record has one of them.
  struct Sources {
    fileprivate let names: [String]
    /// The members that may stand beside these.
    fileprivate let others: [String]

    /// Of images, and of tensors.
    static let images = Sources(
      names: ["path", "image_base64", "inputs"], others: ["outputs", "parameters"])

    private init(names: [String], others: [String]) {
      self.names = names
      self.others = others
    }

    /// Of what a task takes.
    init(_ subject: TaskSubject.Kind) {
      switch subject {
      case .image: self = .images
      case .sound: self.init(names: ["path", "sound_base64"], others: [])
      case .text: self.init(names: ["path", "text"], others: ["question"])
      }
    }
  }

  /// The identifier that the answer repeats: that of the record, or else the line's number.
  let id: JSON
  /// The question, or why there is none.
  let content: Result<Content, WorkerFailure>

  /// The most JSON values of a record: as many numbers as an image of 1,182 by 1,182 pixels has.
  ///
  /// Beyond that, a file of numbers is smaller, and what a line holds would take many times its
  /// size.
  static let valueLimit = 1 << 22

  /// The record on a line, which asks about one of `sources`.
  init(_ line: LineReader.Line, _ sources: Sources) {
    let location = "line \(line.number)"
    guard let bytes = line.bytes else {
      id = .integer(line.number)
      content = .failure(
        WorkerFailure(
          .tooLong, "the line has more bytes than --max-line-bytes allows", at: location))
      return
    }
    let document: JSON
    do throws(JSONError) { document = try JSON(parsing: bytes, valueLimit: Self.valueLimit) } catch
    {
      id = .integer(line.number)
      content = .failure(
        WorkerFailure(
          .badJSON, "no JSON document: \(error.reason)", at: "\(location), byte \(error.offset)"))
      return
    }
    let reader = RequestReader(document, sources, location: location)
    let given = Self.identifier(of: document)
    id = given ?? .integer(line.number)
    do throws(WorkerFailure) { content = .success(try reader.content()) } catch {
      content = .failure(error)
    }
  }

  /// The string or number that names the record; nil where there is none.
  ///
  /// Of larger numbers than these not all digits are kept, so that different ones would be answered
  /// alike.
  static func identifier(of document: JSON) -> JSON? {
    guard let id = document["id"] else { return nil }
    switch id {
    case .string, .integer: return id
    case .number(let number): return number.magnitude < 0x1p53 ? id : nil
    case .null, .bool, .float, .array, .object: return nil
    }
  }
}

/// Reads the members of a request.
private struct RequestReader {
  let document: JSON
  let sources: WorkerRecord.Sources
  let location: String

  init(_ document: JSON, _ sources: WorkerRecord.Sources, location: String) {
    self.document = document
    self.sources = sources
    self.location = location
  }

  func content() throws(WorkerFailure) -> WorkerRecord.Content {
    let members = try members(
      of: document, known: ["id"] + sources.others + sources.names, at: location)
    if members["id"] != nil, WorkerRecord.identifier(of: document) == nil {
      throw WorkerFailure(
        .badRequest, "'id' is neither a string nor a number whose digits are kept", at: location)
    }
    let given = sources.names.filter { members[$0] != nil }
    guard given.count == 1, let source = given.first, let value = members[source] else {
      let names = sources.names.map { "'\($0)'" }.joined(separator: ", ")
      throw WorkerFailure(
        .badRequest, "wanted one of \(names), not \(given.isEmpty ? "none" : "\(given.count)")",
        at: location)
    }
    guard source != "inputs" else {
      return .tensors(try tensors(value), outputs: try members["outputs"].map(outputNames))
    }
    for name in ["outputs", "parameters"] where members[name] != nil {
      throw WorkerFailure(.badRequest, "'\(name)' goes with 'inputs'", at: location)
    }
    let text = try string(value, source)
    let question = try members["question"].map { value throws(WorkerFailure) in
      try string(value, "question")
    }
    switch source {
    case "path": return .path(text, question: question)
    case "text": return .text(text, question: question)
    case _:
      guard let bytes = Base64.bytes(text) else {
        throw WorkerFailure(.badRequest, "'\(source)' is no base64", at: location)
      }
      return .file(bytes, member: source)
    }
  }

  private func string(_ value: JSON, _ name: String) throws(WorkerFailure) -> String {
    guard let string = value.string else {
      throw WorkerFailure(.badRequest, "'\(name)' is no string", at: location)
    }
    return string
  }

  private func tensors(_ value: JSON) throws(WorkerFailure) -> [InferenceTensor] {
    guard let entries = value.array else {
      throw WorkerFailure(.badRequest, "'inputs' is no list", at: location)
    }
    var tensors: [InferenceTensor] = []
    for (position, entry) in entries.enumerated() {
      let location = "\(location), inputs[\(position)]"
      let members = try members(
        of: entry, known: ["name", "shape", "datatype", "data", "parameters"], at: location)
      do throws(InferenceTensorError) {
        tensors.append(try InferenceTensor(members, at: location))
      } catch {
        throw WorkerFailure(error)
      }
    }
    return tensors
  }

  private func outputNames(_ value: JSON) throws(WorkerFailure) -> [String] {
    guard let entries = value.array else {
      throw WorkerFailure(.badRequest, "'outputs' is no list", at: location)
    }
    var names: [String] = []
    for (position, entry) in entries.enumerated() {
      let location = "\(location), outputs[\(position)]"
      let members = try members(of: entry, known: ["name", "parameters"], at: location)
      guard let name = members["name"]?.string else {
        throw WorkerFailure(.badRequest, "no 'name' that is a string", at: location)
      }
      names.append(name)
    }
    return names
  }

  /// The members of an object, each known and there once; `parameters` must be an object too.
  private func members(
    of value: JSON, known: [String], at location: String
  ) throws(WorkerFailure) -> [String: JSON] {
    guard let members = value.members else {
      throw WorkerFailure(.badRequest, "wanted a JSON object", at: location)
    }
    var result: [String: JSON] = [:]
    for member in members {
      guard known.contains(member.key) else {
        throw WorkerFailure(.badRequest, "unknown member '\(member.key)'", at: location)
      }
      guard result.updateValue(member.value, forKey: member.key) == nil else {
        throw WorkerFailure(.badRequest, "member '\(member.key)' is there twice", at: location)
      }
    }
    if let parameters = result["parameters"], parameters.members == nil {
      throw WorkerFailure(.badRequest, "'parameters' is no object", at: location)
    }
    return result
  }
}
