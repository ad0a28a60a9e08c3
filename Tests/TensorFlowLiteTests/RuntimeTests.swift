// SPDX-License-Identifier: Apache-2.0

import Testing
import TensorFlowLite

/// Runtime.
@Suite struct RuntimeTests {
  @Test func `the version has the form of a semantic version`() {
    #expect(Runtime.version.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil)
  }
}
