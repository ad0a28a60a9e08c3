// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelFormat
import Testing

@Suite(.enabled(if: SharedModels.folder != nil, "MARTLET_TEST_MODELS is not set"))
struct SharedModelTests {
  @Test("agrees with the manifest about operators", arguments: SharedModels.entries)
  func operators(entry: SharedModels.Entry) throws {
    let bytes = try entry.bytes()
    let model = try ModelFile(parsing: bytes.span)
    var counts: [String: Int] = [:]
    for node in model.subgraphs.flatMap(\.nodes) { counts[node.identity.name, default: 0] += 1 }
    print(entry["name"], counts, entry["ops"])
  }
}
