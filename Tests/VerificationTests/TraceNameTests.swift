// SPDX-License-Identifier: Apache-2.0

import Testing
import Traces

/// Names of traced tensors.
@Suite struct TraceNameTests {
  static let rows = [
    ("conv1", "s0.0.t7.conv1"), ("a/b;c:0", "s0.0.t7.a%2Fb%3Bc%3A0"), ("", "s0.0.t7."),
    ("x.y-z_~", "s0.0.t7.x.y-z_~"), ("100%", "s0.0.t7.100%25"), ("ü", "s0.0.t7.%C3%BC"),
    ("\u{0}\n", "s0.0.t7.%00%0A"),
  ]

  @Test(arguments: rows)
  func `a name comes back whole`(name: String, text: String) throws {
    let location = TensorLocation(subgraph: 0, invocation: 0, tensor: 7)
    #expect(TraceName(location, tensorName: name).text == text)
    let parsed = try #require(TraceName(parsing: text))
    #expect(parsed == TraceName(location, tensorName: name))
    #expect(parsed.location == location && parsed.tensorName == name && !parsed.isCut)
  }

  @Test func `very long names are cut, and say so`() throws {
    let location = TensorLocation(subgraph: 3, invocation: 12, tensor: 400)
    let name = String(repeating: "ab/", count: 500)
    let text = TraceName(location, tensorName: name).text
    #expect(text.hasPrefix("s3.12.t400.ab%2Fab%2F") && text.hasSuffix("%2Fa%"))
    let parsed = try #require(TraceName(parsing: text))
    #expect(parsed.isCut && parsed.location == location)
    #expect(parsed.tensorName == String(name.prefix(1000)))
  }

  @Test(arguments: [
    "", "conv1", "s0.0.t1", "0.0.t1.x", "s-1.0.t1.x", "s00.0.t1.x", "s0.+1.t1.x", "s0.0.1.x",
    "s0.0.t99999999999999999999.x", "s0.0.t1.%4", "s0.0.t1.%+1x", "s0.0.t1.%zz", "s.0.t1.x",
  ])
  func `other names are none`(text: String) {
    #expect(TraceName(parsing: text) == nil)
  }
}
