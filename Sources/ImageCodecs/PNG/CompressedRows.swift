// SPDX-License-Identifier: Apache-2.0

internal import Compression

/// The zlib stream that lies in the `IDAT` chunks of a file, cut anywhere between them.
///
/// It is inflated in small pieces, so that a reader that stops in time meets at most a few
/// megabytes that it did not ask for, however well they are compressed.
struct CompressedRows {
  private let inflater: Inflater
  private let chunks: [PNGChunk]
  private var chunkIndex = 0
  private var consumedInChunk = 0

  private static let pieceByteCount = 1 << 12

  /// Starts at the first of the `IDAT` chunks, of which there must be one.
  init(chunks: [PNGChunk]) throws(PNGError) {
    self.chunks = chunks
    do throws(CompressionError) {
      inflater = try Inflater(.zlib, outputLimit: .max)
    } catch {
      throw PNGError(.compressedData(error))
    }
  }

  /// The stream's end has been reached, and its checksum agreed.
  var hasEnded: Bool { inflater.isFinished }

  /// The chunk that is being read.
  var location: PNGError.Location { chunks[chunkIndex].location }

  /// Appends the next bytes to `output`.
  ///
  /// - Returns: Whether there were any; if not, the stream or the chunks have ended.
  mutating func inflate(
    in file: Span<UInt8>, appendingTo output: inout [UInt8]
  ) throws(PNGError) -> Bool {
    let count = output.count
    while output.count == count, !inflater.isFinished {
      let data = chunks[chunkIndex].data
      guard consumedInChunk < data.count else {
        guard chunkIndex + 1 < chunks.count else { return false }
        chunkIndex += 1
        consumedInChunk = 0
        continue
      }
      let start = data.lowerBound + consumedInChunk
      let end = min(data.upperBound, start + CompressedRows.pieceByteCount)
      do throws(CompressionError) {
        try inflater.append(file.extracting(start..<end), to: &output)
      } catch {
        throw PNGError(.compressedData(error), at: location)
      }
      consumedInChunk += end - start
    }
    return output.count > count
  }
}

extension PNGError.Reason {
  /// What zlib says, in few words.
  static func compressedData(_ error: CompressionError) -> PNGError.Reason {
    switch error {
    case .invalidData(let text): .compressedData(text)
    case .needsDictionary: .compressedData("preset dictionary")
    case .outOfMemory: .outOfMemory
    case .truncated, .tooLarge: .compressedData(error.description)
    }
  }
}
