// SPDX-License-Identifier: Apache-2.0

/// The lines of a stream, none of which takes more memory than allowed.
package struct LineReader {
  /// One line.
  package struct Line: Equatable {
    /// Its number, from 1.
    package let number: Int
    /// Its bytes without the line break; nil where there are more than allowed.
    package let bytes: [UInt8]?
    /// Whether a line break ends it, which a last line may lack.
    package let isEnded: Bool
  }

  /// How much is read at a time.
  private static let pieceByteCount = 1 << 16

  /// The next bytes, at most so many; none at the end, nil where there shall be no more.
  private let read: @Sendable (Int) throws(FileSystemError) -> [UInt8]?
  private let limit: Int
  /// What has been read and not been given out.
  private var piece: ArraySlice<UInt8> = []
  private var number = 0

  /// The lines of what `read` gives; those of more than `limit` bytes are passed over.
  package init(limit: Int, read: @escaping @Sendable (Int) throws(FileSystemError) -> [UInt8]?) {
    self.limit = limit
    self.read = read
  }

  /// The next line; nil at the end, and once the input was stopped.
  ///
  /// - Throws: `FileSystemError` as reading does.
  package mutating func next() throws(FileSystemError) -> Line? {
    var line: [UInt8] = []
    var byteCount = 0
    var isTooLong = false
    while true {
      if piece.isEmpty {
        guard let next = try read(Self.pieceByteCount) else { return nil }
        piece = next[...]
        if next.isEmpty {
          return byteCount == 0 ? nil : ended(line, isTooLong: isTooLong, byBreak: false)
        }
      }
      let end = piece.firstIndex(of: UInt8(ascii: "\n"))
      let part = piece[..<(end ?? piece.endIndex)]
      byteCount += part.count
      if isTooLong || part.count > limit - line.count {
        isTooLong = true
        line = []
      } else {
        line += part
      }
      piece = piece[(end.map { $0 + 1 } ?? piece.endIndex)...]
      if end != nil { return ended(line, isTooLong: isTooLong, byBreak: true) }
    }
  }

  private mutating func ended(_ line: [UInt8], isTooLong: Bool, byBreak: Bool) -> Line {
    number += 1
    return Line(number: number, bytes: isTooLong ? nil : line, isEnded: byBreak)
  }
}

extension LineReader.Line {
  /// Whether there is nothing on the line but spaces.
  package var isBlank: Bool {
    bytes?.allSatisfy { [0x20, 0x09, 0x0D].contains($0) } ?? false
  }
}
