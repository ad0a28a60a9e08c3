// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import FileAccess
import JSONDocuments
import TestSupport
import Testing

/// Martlet eval.
@Suite struct EvalTests {
  /// Copies of bundled digits in the folders of other or of their own classes.
  private static func put(_ files: [(digit: Int, path: String)], _ console: CapturedConsole) throws
  {
    for (digit, path) in files {
      if let folder = Folder.parent(of: "\(console.folder)/\(path)") {
        try Folder.create(at: folder)
      }
      let sample = try BundledModels.path(of: BundledModels.digitSamples[digit])
      try console.put(try InputFile.bytes(at: sample), path)
    }
  }

  /// Ten images, of which two lie in the folder of the next digit.
  private static func putShuffled(_ console: CapturedConsole) throws {
    try put((0...9).map { ($0, "all/\($0 == 3 || $0 == 7 ? $0 + 1 : $0)/p\($0).png") }, console)
    try console.put([], "all/0/notes.txt")
    try console.put([1], "all/.hidden")
  }

  @Test func `the bundled model knows the bundled digits`() throws {
    let console = CapturedConsole()
    #expect(console.run("eval") == 0)
    #expect(console.text.contains("digits_int8.tflite (bundled)\noptimized kernels"))
    #expect(console.text.contains("\nimages: the bundled samples\n10 images\n"))
    let accuracy = "top-1 accuracy  1.0000  10 of 10, 95 % CI 0.7225–1.0000\n"
    #expect(console.text.contains(accuracy))
    #expect(console.text.contains("\nmean time per image\n  decoding "))
    #expect(!console.text.contains("worst classes"))
    #expect(console.errors == "")
  }

  @Test func `folders name the classes; the document has every number`() throws {
    let console = CapturedConsole()
    try Self.putShuffled(console)
    #expect(console.run("eval DIR/all --json --top 2,1 --errors DIR/wrong.csv") == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["schema"] == "martlet/eval/1" && document["task"] == "classify")
    #expect(document["bundled_model"] == true && document["bundled_images"] == false)
    #expect(document["pictures"] == 10 && document["unreadable"] == [])
    let metrics = try #require(document["metrics"])
    #expect(metrics["top1"] == .number(0.8) && metrics["top5"] == nil)
    // Classes 3 and 7 have no images; of the eight others, 4 and 8 get half of theirs.
    #expect(metrics["mean_recall"] == .number(7.0 / 8))
    #expect(metrics["loss"]?.number ?? 0 > 0.5)
    let accuracies = try #require(document["accuracies"]?.array)
    #expect(accuracies.map { $0["top"] } == [1, 2] && accuracies[0]["correct"] == 8)
    let classes = try #require(document["classes"]?.array)
    #expect(classes.count == 10 && classes[4]["recall"] == .number(0.5))
    #expect(classes[3]["predicted"] == 1 && classes[3]["recall"] == nil)
    let cells = try #require(document["confusions"]?.array)
    #expect(cells.contains(["truth": 4, "predicted": 3, "pictures": 1]))
    #expect(document["wrong"]?.array?.map { $0["truth"] } == [4, 8])
    for step in ["decode", "preprocess", "inference", "postprocess"] {
      #expect(document["times"]?["\(step)_ms"]?.number ?? 0 > 0)
    }
    let table = String(
      decoding: try InputFile.bytes(at: "\(console.folder)/wrong.csv"), as: UTF8.self)
    let lines = table.split(separator: "\n")
    #expect(lines.count == 3 && lines[0] == "picture,truth,predicted,score")
    #expect(lines[1].hasPrefix("\(console.folder)/all/4/p3.png,4,3,0."))
  }

  @Test func `any number of jobs and any threads find the same`() throws {
    let console = CapturedConsole()
    try Self.putShuffled(console)
    func results(_ options: String) throws -> [JSON?] {
      let run = CapturedConsole()
      #expect(run.run("eval \(console.folder)/all --json \(options)") == 0)
      let document = try JSON(parsing: run.output)
      return ["metrics", "accuracies", "classes", "confusions", "wrong"].map { document[$0] }
    }
    let alone = try results("")
    for options in ["--jobs 2", "--jobs 3 --threads 2", "--jobs 64"] {
      #expect(try results(options) == alone, "\(options)")
    }
  }

  @Test func `tables with commas or tabs, with and without heading, from a file or a pipe`() throws
  {
    let console = CapturedConsole()
    try Self.put([(1, "a, b.png"), (2, "two.png"), (3, "sub/three.png")], console)
    let tables = [
      ("t.csv", "picture,label\r\n\"a, b.png\",1\r\n\r\ntwo.png,2\r\nsub/three.png,\"3\""),
      ("t.tsv", "\u{FEFF}FILE\tclass\na, b.png\t1\ntwo.png\t2\nsub/three.png\t3\n"),
      ("t.txt", "a, b.png\t1\ntwo.png\t2\nDIR/sub/three.png\t3\n"),
    ]
    for (name, text) in tables {
      try console.put(Array(text.replacing("DIR", with: console.folder).utf8), name)
      let run = CapturedConsole()
      #expect(run.run("eval --truth \(console.folder)/\(name) --json") == 0, "\(run.errors)")
      #expect(try JSON(parsing: run.output)["accuracies"]?.array?[0]["correct"] == 3)
    }
    let piped = CapturedConsole()
    piped.input = Array("two.png,2\nsub/three.png,8".utf8)
    #expect(piped.run("eval \(console.folder) --truth - --top 1 --confusion") == 0)
    #expect(piped.text.contains("top-1 accuracy  0.5000  1 of 2, "))
    #expect(piped.text.contains("\nworst classes\n  class  images  recall"))
    #expect(piped.text.contains("\n  8           1  0.0000"))
    #expect(piped.text.contains("\n  truth  2  3  8\n  2      1  0  0\n  8      0  1  0\n"))
  }

  @Test func `labels of a file, by name or number, and names that several classes have`() throws {
    let console = CapturedConsole()
    try Self.put([(0, "zero.png"), (2, "two.png")], console)
    let names = "zero\none\ntwo\none\nfour\nfive\nsix\nseven\neight\nnine\n"
    try console.put(Array(names.utf8), "names.txt")
    try console.put(Array("zero.png,zero\ntwo.png,2\n".utf8), "t.csv")
    #expect(console.run("eval --truth DIR/t.csv --labels DIR/names.txt --assert top1>=1") == 0)
    try console.put(Array("zero.png,zero\ntwo.png,one\n".utf8), "both.csv")
    #expect(console.run("eval --truth DIR/both.csv --labels DIR/names.txt") == 65)
    let both = "error: classes 1, 3 are all called 'one' (\(console.folder)/both.csv, line 2)\n"
    #expect(console.errors.contains(both))
    try console.put(Array("zero.png,zero\ntwo.png,tow\n".utf8), "typo.csv")
    #expect(console.run("eval --truth DIR/typo.csv --labels DIR/names.txt") == 65)
    let typo = "the model has no class 'tow' (\(console.folder)/typo.csv, line 2)"
    #expect(console.errors.contains("\(typo)\nhint: did you mean 'two'?\n"))
  }

  @Test func `assertions that do not hold end in 1 and are named`() throws {
    let console = CapturedConsole()
    #expect(console.run("eval --assert top1>=1 --assert inference_ms<1000") == 0)
    #expect(console.run("eval --assert top5>=1 --assert loss<1e-9 --assert mean_f1<1") == 1)
    #expect(console.text.contains("\nfailed: loss<1e-09: 0.00"))
    #expect(console.text.hasSuffix("\nfailed: mean_f1<1: 1\n"))
    let json = CapturedConsole()
    #expect(json.run("eval --json --assert top1>1") == 1)
    let failures = try JSON(parsing: json.output)["failures"]?.array
    #expect(failures?.count == 1 && failures?[0]["assertion"] == "top1>1")
    #expect(failures?[0]["value"]?.number == 1)
  }

  @Test func `images that cannot be read are counted and named, the others go on`() throws {
    let console = CapturedConsole()
    try Self.put([(0, "0.png"), (2, "2.png")], console)
    try console.put(Array("no image".utf8), "bad.png")
    try console.put(Array("0.png,0\nbad.png,1\nnone.png,1\n2.png,2\n".utf8), "t.csv")
    #expect(console.run("eval --truth DIR/t.csv --jobs 2") == 1)
    #expect(console.text.contains("\n2 images, 2 unreadable\ntop-1 accuracy  1.0000  2 of 2, "))
    let lines = console.errors.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains("bad.png") && lines[1].contains("none.png"))
    try console.put(Array("none.png,1\n".utf8), "none.csv")
    let none = CapturedConsole()
    #expect(none.run("eval --truth \(console.folder)/none.csv --json --assert top1>=0") == 1)
    let document = try JSON(parsing: none.output)
    #expect(document["pictures"] == 0 && document["metrics"]?["top1"] == .null)
    #expect(document["unreadable"]?.array?.count == 1)
    #expect(document["failures"] == [["assertion": "top1>=0"]])
  }

  @Test func `a limit takes images evenly`() throws {
    let console = CapturedConsole()
    try Self.putShuffled(console)
    #expect(console.run("eval DIR/all --limit 3 --json") == 0)
    let classes = try JSON(parsing: console.output)["classes"]?.array
    // The images 0, 3 and 6 of ten, of which 3 lies in the folder of class 4.
    #expect(classes?.map { $0["index"] } == [0, 3, 4, 6])
    #expect(console.run("eval DIR/all --limit 0") == 64)
  }

  static let wrongLines: [(String, Int32)] = [
    ("DIR/none", 66), ("DIR/empty", 65), ("DIR/t.csv", 64), ("--truth DIR/none.csv", 66),
    ("DIR DIR --truth DIR/t.csv", 64), ("--top 0", 64), ("--top 1,x", 64), ("--top 1,,2", 64),
    ("--assert top1", 64), ("--assert top3>=1", 64), ("--assert ap>=1", 64), ("--jobs 0", 64),
    ("--threshold 0.5", 64), ("--anchors ssd --task classify", 64), ("--task detect", 64),
    ("--task detect --top 1 --truth DIR/boxes.json", 64), ("--errors -", 64),
    ("--task detect --truth DIR/t.csv", 65), ("--truth DIR/boxes.json", 65),
    ("\(Goldens.add)/model.tflite", 65), ("DIR/none.tflite", 66),
    ("--truth DIR/three.csv", 65), ("--truth DIR/heading.csv", 65), ("--truth DIR/open.csv", 65),
    ("--truth DIR/behind.csv", 65), ("--truth DIR/nolabel.csv", 65), ("--truth DIR/utf8.csv", 65),
    ("--truth DIR/blank.csv", 65),
  ]

  @Test(arguments: wrongLines)
  func `wrong lines and files are refused`(_ line: String, _ code: Int32) throws {
    let console = CapturedConsole()
    try Folder.create(at: "\(console.folder)/empty/0")
    let files: [(String, [UInt8])] = [
      ("t.csv", Array("a.png,1\n".utf8)), ("three.csv", Array("a.png,1\nb.png,1,2\n".utf8)),
      ("heading.csv", Array("picture,label\n".utf8)), ("open.csv", Array("a.png,\"1\n".utf8)),
      ("behind.csv", Array("a.png,\"1\"x\n".utf8)), ("nolabel.csv", Array("a.png,\n".utf8)),
      ("utf8.csv", [0x61, 0x2C, 0xFF]), ("blank.csv", []),
      ("boxes.json", Array(#"{"images": [], "annotations": [], "categories": []}"#.utf8)),
    ]
    for (name, bytes) in files { try console.put(bytes, name) }
    #expect(console.run("eval \(line)") == code, "\(console.errors)")
    #expect(console.errors.hasPrefix("error: ") && console.text == "")
  }
}
