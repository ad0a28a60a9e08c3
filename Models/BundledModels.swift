// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The models that come with Martlet, and where their files are.
///
/// A program may be moved away from where it was built, so the files are looked for in several
/// places, in this order:
///
/// 1. the folder that the environment variable `MARTLET_MODELS` names;
/// 2. `models` beside the executable;
/// 3. `../share/martlet/models`, seen from the executable;
/// 4. the package's resources beside the executable;
/// 5. the package's source folder, as it was when the program was built; not in programs that are
///    built for packages, with `-D PACKAGED`, which must not differ by where that folder was.
public enum BundledModels {
  /// The classifier of handwritten digits with int8 weights and activations.
  public static let digits = "digits/digits_int8.tflite"

  /// Ten images of handwritten digits, 0 to 9.
  public static let digitSamples = (0...9).map { "digits/samples/digit_\($0).png" }

  /// Which digit each of these images shows.
  public static let digitLabels = "digits/samples/labels.csv"

  /// What makes features of sounds, as TensorFlow Lite Micro's audio front end does.
  public static let frontEnd = "frontend/front_end.tflite"

  /// The detector of things of any class.
  public static let localizer = "localizer/localizer.tflite"

  /// Images of composed scenes to find things in.
  public static let localizerSamples = (0...3).map { "localizer/samples/scene_\($0).png" }

  /// Where an installed program has the models, seen from the folder of its executable.
  package static let installedFolder = "../share/martlet/models"

  /// The path of a bundled file.
  ///
  /// - Parameter name: the file's path inside the folder of models, as in `digits`.
  /// - Returns: the path of a file that exists.
  /// - Throws: `BundledFileError`, which says where was looked.
  public static func path(of name: String) throws(BundledFileError) -> String {
    try path(of: name, in: folders)
  }

  /// The path of a file in the first of `folders` that has it.
  package static func path(
    of name: String, in folders: [String]
  ) throws(BundledFileError) -> String {
    for folder in folders {
      let path = "\(folder)/\(name)"
      if unsafe access(path, R_OK) == 0 { return path }
    }
    throw BundledFileError(name: name, folders: folders)
  }

  /// The folders that may hold the models, in the order in which they are searched.
  package static var folders: [String] {
    var folders: [String] = []
    if let variable = unsafe getenv("MARTLET_MODELS") {
      folders.append(unsafe String(cString: variable))
    }
    if let folder = executableFolder {
      folders += [
        "\(folder)/models", "\(folder)/\(installedFolder)",
        "\(folder)/martlet_BundledModelFiles.resources",
      ]
    }
    #if !PACKAGED
      // A relative path would lead to wherever the program is run.
      let source = #filePath
      if source.hasPrefix("/"), let slash = source.lastIndex(of: "/") {
        folders.append(String(source[..<slash]))
      }
    #endif
    return folders
  }

  /// The folder of the running program's executable, symbolic links followed; nil where the system
  /// does not tell.
  package static var executableFolder: String? {
    guard
      let path = unsafe realpath("/proc/self/exe", nil) ?? realpath(CommandLine.arguments[0], nil)
    else { return nil }
    defer { unsafe free(path) }
    let executable = unsafe String(cString: path)
    return executable.lastIndex(of: "/").map { String(executable[..<$0]) }
  }
}

/// A bundled file that is in none of the places where it may be.
public struct BundledFileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file's path inside the folder of models.
  public let name: String
  /// The folders that were searched, in order.
  public let folders: [String]

  /// What is missing and where was looked.
  public var description: String {
    "bundled file \(name) is not in \(folders.joined(separator: ", "))"
  }
}
