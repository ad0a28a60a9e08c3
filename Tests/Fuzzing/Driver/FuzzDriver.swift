// SPDX-License-Identifier: Apache-2.0
//
// libFuzzer: https://llvm.org/docs/LibFuzzer.html

import Foundation
import HostileInputs

/// Runs libFuzzer, which is linked in by Tests/Fuzzing/fuzz, on one of the targets.
///
///     FuzzTargets TARGET [libFuzzer's arguments and folders]
@main
enum FuzzDriver {
  /// The target of this process.
  nonisolated(unsafe) static var target = FuzzTarget.model

  /// Where processes that libFuzzer starts find the target: it gives them only its own arguments.
  private static let variable = "MARTLET_FUZZ_TARGET"

  static func main() {
    var words = CommandLine.arguments
    if let inherited = ProcessInfo.processInfo.environment[variable] {
      words.insert(inherited, at: 1)
    }
    guard words.count > 1, let chosen = FuzzTarget(rawValue: words[1]) else {
      print(FuzzTarget.allCases.map(\.rawValue).joined(separator: "\n"))
      return
    }
    unsafe target = chosen
    unsafe setenv(variable, chosen.rawValue, 1)
    words.remove(at: 1)
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
    unsafe arguments.append(nil)
    var count = unsafe Int32(arguments.count - 1)
    unsafe arguments.withUnsafeMutableBufferPointer { buffer in
      var first = buffer.baseAddress
      _ = unsafe runFuzzer(&count, &first) { bytes, count in
        let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
        unsafe FuzzDriver.target.run(input)
        return 0
      }
    }
  }
}

/// libFuzzer's main loop.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ argumentCount: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// libFuzzer's own changes of `size` bytes, of which there may be `limit`; returns how many are
/// left.
@_silgen_name("LLVMFuzzerMutate")
private func mutate(_ bytes: UnsafeMutablePointer<UInt8>, _ size: Int, _ limit: Int) -> Int

/// What libFuzzer asks for another input; models are changed by what they are made of.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateInput(
  _ bytes: UnsafeMutablePointer<UInt8>, _ size: Int, _ limit: Int, _ seed: UInt32
) -> Int {
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: size))
  guard unsafe FuzzDriver.target.readsModels, seed % 4 != 0,
    let changed = ModelMutation(seed: seed).applied(to: input), changed.count <= limit
  else { return unsafe mutate(bytes, size, limit) }
  for (index, byte) in changed.enumerated() { unsafe bytes[index] = byte }
  return changed.count
}
