// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Martlet

/// Runs a model, forks, and runs it again in each child: `ForkedRuns MODEL THREADS CHILDREN`.
///
/// Prints how many children computed what their parent had computed; the others are alarmed after
/// ten seconds, and ended. Swift does not offer `fork`, as most of what a program may do after it
/// can fail: here it stands for a server in another language that loads Martlet.
@main enum ForkedRuns {
  static func main() throws {
    guard CommandLine.arguments.count == 4, let threads = Int(CommandLine.arguments[2]),
      let children = Int(CommandLine.arguments[3]), children >= 0
    else {
      print("usage: ForkedRuns MODEL THREADS CHILDREN")
      exit(64)
    }
    let model = try Model(path: CommandLine.arguments[1])
    var options = Interpreter.Options()
    options.threadCount = threads
    let interpreter = try Interpreter(model, options: options)
    let bytes = try outputs(of: interpreter)
    var equal = 0
    for _ in 0..<children {
      // Helpers of this run are still at hand when the process forks.
      _ = try outputs(of: interpreter)
      if try isEqual(bytes, inChildOf: model, options) { equal += 1 }
    }
    let parent = try outputs(of: interpreter) == bytes
    print("\(equal) of \(children) children, parent \(parent)")
    exit(equal == children && parent ? 0 : 1)
  }

  /// The outputs of runs on zeros, the second of which has the helpers of the first.
  private static func outputs(of interpreter: Interpreter) throws -> [[UInt8]] {
    try interpreter.invoke()
    try interpreter.invoke()
    return try interpreter.outputs.indices.map { try interpreter.outputBytes($0) }
  }

  /// Whether a child of this process computes `bytes` with an interpreter of its own.
  private static func isEqual(
    _ bytes: [[UInt8]], inChildOf model: Model, _ options: Interpreter.Options
  ) throws -> Bool {
    typealias Fork = @convention(c) () -> Int32
    guard let symbol = unsafe dlsym(nil, "fork") else { return false }
    let child = unsafe unsafeBitCast(symbol, to: Fork.self)()
    if child == 0 {
      alarm(10)
      let interpreter = try? Interpreter(model, options: options)
      let isEqual = interpreter.map { (try? outputs(of: $0)) == bytes } ?? false
      _exit(isEqual ? 0 : 1)
    }
    var status: Int32 = 0
    return unsafe waitpid(child, &status, 0) == child && status == 0
  }
}
