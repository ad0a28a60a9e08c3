// SPDX-License-Identifier: Apache-2.0

import Compression
import Foundation
import HostileInputs
import ResourceLimits
import Testing

/// What fuzzing found worth keeping, given to the library again.
///
/// An input that once crashed it is in the corpus too; crashing again ends the tests.
@Suite struct CorpusTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fuzzing/Corpus")

  @Test(arguments: FuzzTarget.allCases)
  func `every input is taken or refused, soon`(of target: FuzzTarget) throws {
    let file = Self.folder.appendingPathComponent("\(target.rawValue).zip")
    let bytes = [UInt8](try Data(contentsOf: file))
    let archive = try ZipArchive(bytes.span, limits: Limits(archiveEntryCount: 1 << 16))
    #expect(archive.entries.count > 10)
    // Sanitizers make it many times slower.
    let isSanitized = ProcessInfo.processInfo.environment["MARTLET_SANITIZER"] != nil
    let limit = Duration.seconds(isSanitized ? 100 : 10)
    let clock = ContinuousClock()
    for entry in archive.entries {
      let input = try archive.contents(of: entry.name, in: bytes.span)
      let start = clock.now
      target.run(input)
      #expect(clock.now - start < limit, "\(entry.name)")
    }
  }
}
