// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import FileAccess
import JSONDocuments
import Synchronization
import Testing

/// Streams of martlet worker.
@Suite struct WorkerStreamTests {
  @Test(arguments: [1, 2, 5])
  func `answers keep the order of the records`(jobs: Int) throws {
    let records = try WorkerRecords.digits(40)
    let console = CapturedConsole()
    #expect(console.work("--jobs \(jobs) --no-timing", records) == 0)
    #expect(try console.answers.compactMap { $0["id"]?.integer } == Array(0..<40))
    let alone = CapturedConsole()
    alone.work("--no-timing", records)
    #expect(console.output == alone.output)
  }

  @Test func `unordered answers are the same ones`() throws {
    let records = try WorkerRecords.digits(40)
    let (ordered, unordered) = (CapturedConsole(), CapturedConsole())
    #expect(ordered.work("--no-timing", records) == 0)
    #expect(unordered.work("--no-timing --jobs 3 --unordered", records) == 0)
    #expect(
      unordered.text.split(separator: "\n").sorted() == ordered.text.split(separator: "\n").sorted()
    )
  }

  @Test(arguments: [1, 2, 4, 7])
  func `shards together are the whole`(count: Int) throws {
    var records = try WorkerRecords.digits(30)
    records[11] = WorkerRecords.image(11, "/none")
    let whole = CapturedConsole()
    #expect(whole.work("--no-timing --keep-going", records) == 0)
    let lines = whole.text.split(separator: "\n")
    for index in 0..<count {
      let part = CapturedConsole()
      #expect(
        part.work("--no-timing --keep-going --jobs 2 --shard \(index)/\(count)", records) == 0)
      let own = lines.indices.filter { ($0 + 1) % count == index }.map { lines[$0] }
      #expect(part.text.split(separator: "\n") == own)
    }
  }

  @Test func `lines may end as they like, blank ones count but say nothing`() throws {
    let path = try BundledModels.path(of: BundledModels.digitSamples[4])
    let record = "{\"path\": \"\(path)\"}"
    let console = CapturedConsole()
    console.input = Array("\u{FEFF}\(record)\r\n\n  \t\n\(record)".utf8)
    #expect(console.run("worker") == 0)
    #expect(try console.answers.map { $0["id"] } == [1, 4])
    // Pieces may end anywhere.
    let pieces = CapturedConsole()
    pieces.stream = CapturedInput(console.input.map { [$0] })
    #expect(pieces.run("worker") == 0)
    #expect(try pieces.answers.map { $0["id"] } == [1, 4])
    let empty = CapturedConsole()
    #expect(empty.run("worker") == 0)
    #expect(empty.text == "")
  }

  /// A console that counts the lines that are written.
  private static func counting(
    _ written: BoundCount, _ records: [JSON]
  ) -> CapturedConsole {
    let console = CapturedConsole()
    console.didWrite = { written.write() }
    console.stream = CapturedInput(records.map { WorkerRecords.lines([$0]) }) { given in
      written.give(given)
    }
    return console
  }

  /// Counts records that were read and not answered.
  private final class BoundCount: Sendable {
    private let counts = Mutex((written: 0, most: 0))
    var most: Int { counts.withLock { $0.most } }
    func write() { counts.withLock { $0.written += 1 } }
    func give(_ given: Int) { counts.withLock { $0.most = max($0.most, given - $0.written) } }
  }

  @Test(arguments: [1, 2, 4])
  func `no more is read than twice as many records as there are jobs`(jobs: Int) throws {
    let written = BoundCount()
    let console = Self.counting(written, try WorkerRecords.digits(60))
    #expect(console.run("worker --jobs \(jobs)") == 0)
    #expect(try console.answers.count == 60)
    // The count is taken before the next record is given.
    #expect(written.most <= 2 * jobs - 1)
  }

  @Test(
    arguments: [(.terminate, 143), (.interrupt, 130), (.hangUp, 129)]
      as [(TerminationSignal, Int32)])
  func `a signal ends the input: what was begun is answered`(signal: TerminationSignal, code: Int32)
    throws
  {
    let records = try WorkerRecords.digits(20)
    let console = CapturedConsole()
    let box = Mutex<CapturedInput?>(nil)
    let input = CapturedInput(records.map { WorkerRecords.lines([$0]) }) { given in
      if given == 7 { box.withLock { $0 }?.stop(by: signal) }
    }
    box.withLock { $0 = input }
    console.stream = input
    #expect(console.run("worker --jobs 2") == code)
    #expect(try console.answers.compactMap { $0["id"]?.integer } == Array(0..<7))
  }

  @Test func `after a signal, lines that were read along are not begun`() throws {
    let input = CapturedInput([WorkerRecords.lines(try WorkerRecords.digits(20))])
    let console = CapturedConsole()
    console.stream = input
    console.didWrite = { [unowned console] in
      if console.text.split(separator: "\n").count == 3 { input.stop(by: .terminate) }
    }
    #expect(console.run("worker") == 143)
    #expect(try console.answers.compactMap { $0["id"]?.integer } == [0, 1, 2])
  }

  @Test func `a reader that goes away ends the run quietly, a full disk does not`() throws {
    for (code, message) in [(Int32(32), ""), (28, "error: cannot write: ")] {
      let console = CapturedConsole()
      console.outputFailure = FileSystemError(.write, path: "standard output", code: code)
      #expect(console.work("--jobs 2", try WorkerRecords.digits(20)) == 74)
      #expect(console.errors.hasPrefix(message) && console.errors.isEmpty == message.isEmpty)
    }
  }

  @Test(arguments: [1, 3])
  func `a run that was cut goes on without loss or doubles`(jobs: Int) throws {
    var records = try WorkerRecords.digits(25)
    records[3] = WorkerRecords.image(3, "/none")
    // The same identifier three times, and none at all.
    records[20] = WorkerRecords.image(8, "/none")
    records[22] = WorkerRecords.image(8, "/none")
    records[23] = WorkerRecords.image(nil, "/none")
    let options = "--no-timing --keep-going --jobs \(jobs)"
    let whole = CapturedConsole()
    #expect(whole.work(options, records) == 0)
    let lines = whole.text.split(separator: "\n", omittingEmptySubsequences: false)
    for cut in [0, 1, lines[0].utf8.count, lines[0].utf8.count + 1, 900, whole.output.count - 1] {
      let console = CapturedConsole()
      try console.put(Array(whole.output.prefix(cut)), "out")
      #expect(console.work("\(options) --resume DIR/out --output DIR/out", records) == 0)
      #expect(console.text == "")
      #expect(try InputFile.bytes(at: "\(console.folder)/out") == whole.output, "cut at \(cut)")
      // A second time there is nothing to do.
      #expect(console.work("\(options) --resume DIR/out -o DIR/out --json", records) == 0)
      #expect(try InputFile.bytes(at: "\(console.folder)/out") == whole.output)
      let last = try #require(console.errors.split(separator: "\n").last)
      #expect(try JSON(parsing: Array(last.utf8))["answered_before"] == 25)
    }
  }

  @Test func `of records with one identifier the first are those that were answered`() throws {
    let records = (0..<40).map { WorkerRecords.image(8, "/none/\($0)") }
    let options = "--no-timing --keep-going --jobs 4"
    let whole = CapturedConsole()
    #expect(whole.work(options, records) == 0)
    let half = whole.text.split(separator: "\n").prefix(20).joined(separator: "\n") + "\n"
    for _ in 0..<20 {
      let console = CapturedConsole()
      try console.put(Array(half.utf8), "out")
      #expect(console.work("\(options) --resume DIR/out --output DIR/out", records) == 0)
      #expect(try InputFile.bytes(at: "\(console.folder)/out") == whole.output)
    }
  }

  @Test func `what an earlier output may be`() throws {
    let records = try WorkerRecords.digits(3)
    let console = CapturedConsole()
    // The first run of the same command has no output yet.
    #expect(console.work("--resume DIR/new --output DIR/new", records) == 0)
    #expect(console.work("--resume DIR/none", records) == 66)
    try console.put(Array("{\"id\": 1}\nnonsense\n".utf8), "bad")
    #expect(console.work("--resume DIR/bad", records) == 65)
    #expect(
      console.errors.hasSuffix(
        "error: line 2 is no answer of a worker: no JSON document with an 'id' "
          + "(\(console.folder)/bad)\n"))
    #expect(console.work("--output DIR", records) == 74)
    // Of another file, the answers come to standard output.
    #expect(console.work("--resume DIR/new --no-timing", try WorkerRecords.digits(5)) == 0)
    #expect(try console.answers.map { $0["id"] } == [3, 4])
  }
}
