// SPDX-License-Identifier: Apache-2.0

import JSONDocuments
import Testing

/// JSON.
@Suite struct JSONTests {
  @Test(
    arguments: [
      ("null", .null), (" [true , false]\n", [true, false]), ("-12", -12), ("0", 0),
      ("1.5e2", .number(150)), ("9223372036854775808", .number(9223372036854775808)),
      ("\"a\\n\\u00e9\\ud83d\\ude00\\/\"", "a\né😀/"),
      ("{\"b\": 1, \"a\": {\"c\": []}}", ["b": 1, "a": ["c": []]]),
      ("\u{FEFF}{}", [:]),
    ] as [(String, JSON)])
  func `documents are read`(text: String, value: JSON) throws {
    #expect(try JSON(parsing: Array(text.utf8)) == value)
  }

  @Test(arguments: [
    ("", "document ends early", 0), ("[1,]", "wanted a value", 3), ("01", "wanted a value", 0),
    ("1 2", "text after the document", 2), ("{\"a\" 1}", "wanted ':'", 5),
    ("{a: 1}", "wanted a member's name", 1), ("[1", "wanted ',' or ']'", 2),
    ("\"a", "string without an end", 0), ("\"\\ud800\"", "half a surrogate pair", 1),
    ("\"\\x\"", "unknown escape", 1), ("\"\t\"", "control character in a string", 1),
    ("1e999", "number too large", 0), ("nul", "wanted a value", 0), ("1.", "wanted a digit", 2),
  ])
  func `other text is refused with the location`(text: String, reason: String, offset: Int) {
    let error = #expect(throws: JSONError.self) { _ = try JSON(parsing: Array(text.utf8)) }
    #expect(error?.reason == reason)
    #expect(error?.offset == offset)
  }

  @Test func `nesting is limited`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    _ = try JSON(parsing: nested(JSON.depthLimit))
    #expect(throws: JSONError.self) { _ = try JSON(parsing: nested(JSON.depthLimit + 1)) }
    #expect(throws: JSONError.self) { _ = try JSON(parsing: nested(1_000_000)) }
  }

  @Test func `documents are written with members in order and numbers in short`() {
    let document: JSON = [
      "schema": "martlet/test/1", "float": .float(0.1), "double": .number(0.1), "count": 3,
      "odd": [.float(.nan), .number(-.infinity)], "nested": [["x": [1, 2]], [:]], "none": [],
      "text": "a\"b\\c\u{1B}\né",
    ]
    let compact =
      #"{"schema":"martlet/test/1","float":0.1,"double":0.1,"count":3,"odd":["NaN","-Infinity"],"#
      + #""nested":[{"x":[1,2]},{}],"none":[],"text":"a\"b\\c\u001b\né"}"#
    #expect(document.compactText == compact)
    let pretty = """
      {
        "schema": "martlet/test/1",
        "float": 0.1,
        "double": 0.1,
        "count": 3,
        "odd": ["NaN", "-Infinity"],
        "nested": [
          {
            "x": [1, 2]
          },
          {}
        ],
        "none": [],
        "text": "a\\"b\\\\c\\u001b\\né"
      }
      """
    #expect(document.prettyText == pretty)
  }

  @Test func `what is written is read again`() throws {
    let document: JSON = [
      "a": [1, .number(0.1), "x\u{7}", .null, true], "b": ["c": .number(1e300)],
    ]
    #expect(try JSON(parsing: Array(document.prettyText.utf8)) == document)
    #expect(try JSON(parsing: Array(document.compactText.utf8)) == document)
  }
}
