// SPDX-License-Identifier: Apache-2.0

internal import FileAccess

extension GoldenCase {
  /// The folders of all cases at `path` and below, in the order of their names.
  ///
  /// - Throws: `GoldenError` where `path` cannot be read.
  public static func folders(in path: String) throws(GoldenError) -> [String] {
    var found: [String] = []
    var visited = Set<String>()
    do throws(FileSystemError) {
      try collect(in: path, into: &found, visited: &visited)
    } catch {
      throw .file(error)
    }
    return found
  }

  /// Folders that symbolic links lead to twice are visited once, so a loop ends.
  private static func collect(
    in path: String, into found: inout [String], visited: inout Set<String>
  ) throws(FileSystemError) {
    guard visited.insert(Folder.resolved(path) ?? path).inserted else { return }
    let names = try Folder.names(in: path)
    let isCase = GoldenFolder.isCase(names)
    if isCase { found.append(path) }
    for name in names {
      let below = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
      // Steps belong to the case above them.
      if isCase, isStep(name) { continue }
      if Folder.kind(of: below) == .folder || name.hasSuffix(ArchivedFiles.suffix) {
        try collect(in: below, into: &found, visited: &visited)
      }
    }
  }

  private static func isStep(_ name: String) -> Bool {
    name.hasPrefix("step") && Int(name.dropFirst(4)) != nil
  }
}
