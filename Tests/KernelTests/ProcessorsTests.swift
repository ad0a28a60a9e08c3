// SPDX-License-Identifier: Apache-2.0

import Foundation
import OptimizedKernels
import Testing

@Suite struct ProcessorsTests {
  @Test func `those that the process may use are counted`() {
    #expect(Processors.count == ProcessInfo.processInfo.activeProcessorCount)
  }
}
