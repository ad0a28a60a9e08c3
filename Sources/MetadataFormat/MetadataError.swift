// SPDX-License-Identifier: Apache-2.0

public import ModelFormat

/// Why metadata cannot be read from a model or written into it.
public enum MetadataError: Error, Hashable, Sendable {
  /// The file is no valid model, or its metadata is malformed.
  case model(ModelError)
  /// The associated files cannot be read or packed, as the sentence says.
  case files(String)
  /// An associated file has a name that leads out of the folder it would be unpacked in.
  case unsafeName(String)
  /// Two associated files have the same name.
  case duplicateName(String)
  /// The metadata names an associated file that is not there.
  case missingFile(String)
  /// The metadata holds a part that the schema known here does not have, and would lose it.
  case unknownPart(String)
  /// The metadata holds a number that the schema has no room for.
  case outOfRange(String)
  /// What was written does not read back as the same model.
  case notPreserved(String)
}

extension MetadataError: CustomStringConvertible {
  /// What is wrong, on one line.
  public var description: String {
    switch self {
    case .model(let error): "\(error)"
    case .files(let problem): "associated files: \(problem)"
    case .unsafeName(let name):
      "associated file '\(name.printable)' has a name that is no path inside a folder"
    case .duplicateName(let name): "two associated files are called '\(name.printable)'"
    case .missingFile(let name):
      "the metadata names a file '\(name.printable)' that is not there"
    case .unknownPart(let part): "\(part) is not known here and would be lost"
    case .outOfRange(let part): "\(part) is beyond what metadata can hold"
    case .notPreserved(let part): "the model cannot be kept as it is: \(part)"
    }
  }
}
