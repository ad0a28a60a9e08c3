// SPDX-License-Identifier: Apache-2.0

/// The zlib stream that lies in the `IDAT` chunks of a file, cut anywhere between them.
struct CompressedRows {
  private let stream: InflateStream
  private let chunks: [PNGChunk]
  private var chunkIndex = 0
  private var consumedInChunk = 0
  private(set) var hasEnded = false

  /// Starts at the first of the `IDAT` chunks, of which there must be one.
  init(chunks: [PNGChunk]) throws(PNGError) {
    self.chunks = chunks
    do throws(InflateStream.Failure) {
      stream = try InflateStream()
    } catch {
      throw PNGError(.compressedData(error.message))
    }
  }

  /// The chunk that is being read.
  var location: PNGError.Location { chunks[chunkIndex].location }

  /// Inflates at least one byte into `range` of `output`, or finds the stream's end.
  ///
  /// - Returns: The number of bytes, 0 only at the end; nil when the chunks end before the stream.
  mutating func inflate(
    in file: Span<UInt8>, into output: inout [UInt8], range: Range<Int>
  ) throws(PNGError) -> Int? {
    while !hasEnded {
      if consumedInChunk == chunks[chunkIndex].data.count, chunkIndex + 1 < chunks.count {
        chunkIndex += 1
        consumedInChunk = 0
        continue
      }
      let data = chunks[chunkIndex].data
      let input = file.extracting(data.lowerBound + consumedInChunk..<data.upperBound)
      let progress: InflateStream.Progress
      do throws(InflateStream.Failure) {
        var target = output.mutableSpan
        progress = try stream.inflate(input, into: &target, range: range)
      } catch {
        throw PNGError(.compressedData(error.message), at: location)
      }
      consumedInChunk += progress.consumed
      hasEnded = progress.ended
      if progress.produced > 0 { return progress.produced }
      guard progress.consumed > 0 || hasEnded else { return nil }
    }
    return 0
  }
}
