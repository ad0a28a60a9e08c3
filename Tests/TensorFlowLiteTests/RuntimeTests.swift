// SPDX-License-Identifier: Apache-2.0

import Testing
import TensorFlowLite

@Suite("Runtime")
struct RuntimeTests {
  @Test("the version has the form of a semantic version")
  func version() {
    #expect(Runtime.version.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil)
  }
}
