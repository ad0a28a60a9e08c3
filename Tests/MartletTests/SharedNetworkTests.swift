// SPDX-License-Identifier: Apache-2.0

import Foundation
import GoldenCases
import Martlet
import Npy
import TestSupport
import Testing

/// Published networks in the folder that `MARTLET_TEST_MODELS` names, with the real runtime's
/// results.
@Suite struct SharedNetworkTests {
  static let folder = PublishedModels.folder.map {
    URL(fileURLWithPath: $0).appendingPathComponent("nets")
  }

  /// Cases whose goldens hold memory that the runtime did not write.
  static let exceptions = ["det_ssd_ftc_roverruckus_quant/random"]

  /// The networks that the real runtime runs without its delegates.
  static let networks: [String] = {
    guard let folder,
      let manifest = try? String(
        contentsOf: folder.appendingPathComponent("MANIFEST.tsv"), encoding: .utf8)
    else { return [] }
    let lines = manifest.split(whereSeparator: \.isNewline).map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let head = lines.first, let runtime = head.firstIndex(of: "runtime") else { return [] }
    return lines.dropFirst().filter { line in
      line[runtime].hasPrefix("ok") && !line[runtime].contains("delegate")
    }.map { $0[0] }
  }()

  /// The kernels that networks run on.
  ///
  /// The reference kernels use one thread: the thread sanitizer has nothing to find there, and
  /// would take hours.
  static let kernels = GoldenTests.kernels.filter { kernels in
    kernels.name != "reference"
      || ProcessInfo.processInfo.environment["MARTLET_SANITIZER"] != "thread"
  }

  @Test(.enabled(if: folder != nil))
  func `the manifest names the networks`() {
    #expect(Self.networks.count > 50)
  }

  @Test(.enabled(if: folder != nil), arguments: networks, kernels)
  func `a network gives the reference kernels' results`(name: String, kernels: KernelSet) throws {
    guard let folder = Self.folder else { return }
    let results = try GoldenTests.results(folder.appendingPathComponent(name).path, kernels)
    #expect(!results.isEmpty)
    let expected = results.filter { result in
      !Self.exceptions.contains { result.folder.hasSuffix($0) }
    }
    for result in expected {
      if case .differs(let reason) = result.agreement {
        Issue.record("\(result.folder): \(reason)")
      }
    }
  }
}
