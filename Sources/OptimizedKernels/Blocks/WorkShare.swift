// SPDX-License-Identifier: Apache-2.0

/// Into how many blocks work is cut for several workers, by how long it takes.
///
/// To hand work over takes about a microsecond, and a block that starts late keeps everyone
/// waiting: short work is cut into few blocks, long work into several for each worker, so that one
/// whom the system interrupts has less to do.
enum WorkShare {
  /// How long handing over takes, compared with what it takes on processors whose cores are near.
  private static let distance = ProcessorFeatures.hasDistantCores ? 2.0 : 1.0
  /// Nanoseconds of work that one worker does by itself.
  private static let leastWork = 1_500.0 * distance
  /// Nanoseconds of a block that is worth being one of several for its worker.
  private static let leastBlock = 25_000.0
  /// Nanoseconds that handing over takes longer with each worker.
  private static let handover = 150.0 * distance
  /// Blocks for each worker.
  private static let mostBlocks = 4

  /// Whether work that takes so long is worth more than one worker.
  static func isShared(nanoseconds: Double) -> Bool { nanoseconds >= leastWork }

  /// How many of `most` workers are worth having for work that takes so long.
  ///
  /// With each worker handing over takes longer, by `handover`, and the work becomes shorter: their
  /// sum is least with √(nanoseconds / handover) workers.
  static func workerCount(nanoseconds: Double, most: Int) -> Int {
    guard most > 1, isShared(nanoseconds: nanoseconds) else { return 1 }
    let best = (nanoseconds / handover).squareRoot()
    return best >= Double(most) ? most : max(Int(best), 2)
  }

  /// How many blocks each worker gets, if all take `nanoseconds` together; 0 where one worker
  /// shall do everything.
  static func blocksPerWorker(nanoseconds: Double, workerCount: Int) -> Int {
    guard workerCount > 1, isShared(nanoseconds: nanoseconds) else { return 0 }
    let share = nanoseconds / (Double(workerCount) * leastBlock)
    return share >= Double(mostBlocks) ? mostBlocks : max(Int(share), 1)
  }

  /// Into how many parts, at least `least`, each of `count` things is cut: as many parts for each
  /// worker, where there is something to share.
  static func parts(
    atLeast least: Int, ofEach count: Int, nanoseconds: Double, workerCount most: Int
  ) -> Int {
    let workerCount = workerCount(nanoseconds: nanoseconds, most: most)
    let perWorker = blocksPerWorker(nanoseconds: nanoseconds, workerCount: workerCount)
    guard perWorker > 0, count > 0 else { return max(least, 1) }
    let parts = max(least, (perWorker * workerCount + count - 1) / count)
    return (parts..<parts + workerCount).first { $0 * count % workerCount == 0 } ?? parts
  }

  /// Blocks in all, at least 1.
  static func blockCount(nanoseconds: Double, workerCount most: Int) -> Int {
    let workerCount = workerCount(nanoseconds: nanoseconds, most: most)
    return max(
      blocksPerWorker(nanoseconds: nanoseconds, workerCount: workerCount) * workerCount, 1)
  }
}

/// The part of `0..<count` that is the `index`th of `parts` parts of about equal length.
func share(_ index: Int, of parts: Int, _ count: Int) -> Range<Int> {
  index * count / parts..<(index + 1) * count / parts
}
