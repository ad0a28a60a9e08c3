// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Foundation
import GoldenCases
import Martlet
import Npy
import TestSupport
import Testing

/// Every golden case of the repository, on every kernel set.
@Suite struct GoldenTests {
  static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
  static let formats = names(in: digits)
  static let digits = tests.deletingLastPathComponent()
    .appendingPathComponent("Models/digits/goldens")
  static let kernels: [KernelSet] = [.reference, .optimized]

  static func names(in folder: URL) -> [String] {
    let keys: [URLResourceKey] = [.isDirectoryKey]
    let entries = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: keys)
    return (entries ?? []).filter {
      (try? $0.resourceValues(forKeys: Set(keys)))?.isDirectory == true
    }
    .map(\.lastPathComponent).filter { !$0.hasPrefix("_") && !$0.hasPrefix(".") }.sorted()
  }

  /// The results of all cases below `path`.
  static func results(_ path: String, _ kernels: KernelSet) throws -> [GoldenResult] {
    var options = Interpreter.Options()
    options.kernels = kernels
    var runner = GoldenRunner(options: options)
    return try GoldenCase.folders(in: path).map { runner.run(folder: $0) }
  }

  static func expectAgreement(_ results: [GoldenResult]) {
    #expect(!results.isEmpty)
    for result in results {
      if case .differs(let reason) = result.agreement {
        Issue.record("\(result.folder): \(reason)")
      }
    }
  }

  @Test func `there are goldens of every kind`() {
    #expect(Goldens.operators.count > 70)
    #expect(Self.formats.count == 7)
  }

  @Test(arguments: Goldens.operators, kernels)
  func `an operator gives the real runtime's results`(name: String, kernels: KernelSet) throws {
    Self.expectAgreement(try Self.results(Goldens.path(name), kernels))
  }

  @Test(arguments: kernels)
  func `the bundled localizer gives the real runtime's results`(kernels: KernelSet) throws {
    let folder = Self.tests.deletingLastPathComponent()
      .appendingPathComponent("Models/localizer/goldens")
    let results = try Self.results(folder.path, kernels)
    Self.expectAgreement(results)
    #expect(results.count == 2)
  }

  @Test(arguments: formats, kernels)
  func `the bundled digits give the real runtime's results`(
    format: String, kernels: KernelSet
  ) throws {
    Self.expectAgreement(try Self.results(Self.digits.appendingPathComponent(format).path, kernels))
  }
}
