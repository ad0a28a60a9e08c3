// SPDX-License-Identifier: Apache-2.0

/// Compact panels of a `PackedByteMatrix` that are to be panels of words, as products of more than
/// one row take them.
@unsafe
@frozen
@usableFromInline
package struct ByteWidening {
  /// The compact panels.
  @usableFromInline package var source: BytePanels
  /// Where the first panel goes.
  @usableFromInline package var target: UnsafeMutableRawPointer
  /// Columns from the first panel's on.
  @usableFromInline package var columnCount: Int
  /// Words of a row.
  @usableFromInline package var wordCount: Int

  /// Panels of these parts.
  @_alwaysEmitIntoClient
  @inline(__always)
  init(
    source: BytePanels, target: UnsafeMutableRawPointer, columnCount: Int, wordCount: Int
  ) {
    unsafe self.source = source
    unsafe self.target = target
    unsafe self.columnCount = columnCount
    unsafe self.wordCount = wordCount
  }
}

extension ByteMicrokernels {
  /// Widens the panels of a compact matrix' columns, which start with a panel.
  @unsafe
  package func widen(
    _ matrix: PackedByteMatrix, _ columns: Range<Int>, to target: UnsafeMutableRawPointer
  ) {
    unsafe widenPanels(
      ByteWidening(
        source: matrix.panels(from: columns.lowerBound), target: target,
        columnCount: columns.count, wordCount: layout.wordCount(matrix.depth)))
  }
}

/// Widens panels one after the other: the biases stay as they are.
@_alwaysEmitIntoClient
@inline(__always)
package func widenWeights<Level: ByteInstructions>(_ task: ByteWidening, _ level: Level.Type) {
  let panelWidth = 2 &* Level.laneCount
  let zeroPoint = unsafe Level.broadcast(word: Int32(task.source.zeroPoint))
  let wordCount = unsafe task.wordCount
  var (source, target) = unsafe (task.source.first, task.target)
  var remaining = unsafe task.columnCount
  while remaining > 0 {
    let vectors = remaining > Level.laneCount ? 2 : 1
    let biasByteCount = vectors &* Level.byteCount
    unsafe target.copyMemory(from: source, byteCount: biasByteCount)
    var index = 0
    while index < wordCount &* vectors {
      let bytes = unsafe source + (biasByteCount &+ index &* Level.byteCount / 2)
      unsafe target.storeBytes(
        of: Level.subtractWords(Level.loadWords(bytes, areSigned: true), zeroPoint),
        toByteOffset: biasByteCount &+ index &* Level.byteCount, as: Level.Vector.self)
      index &+= 1
    }
    unsafe source += BytePanelForm.compact.byteCount(width: panelWidth, wordCount: wordCount)
    unsafe target += BytePanelForm.words.byteCount(width: panelWidth, wordCount: wordCount)
    remaining &-= panelWidth
  }
}
