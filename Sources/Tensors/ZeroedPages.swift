// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A mapping of zeroes, whose pages take memory once they are written.
///
/// The first write to a page of 4 KiB costs several times its share of that to a page of 2 MiB, and
/// networks write all of their memory at least once. So where the system grants large pages on
/// request, they are asked for wherever nearly all of one will be written. Not for very large
/// mappings: a system that has to look for so many large pages takes longer than it saves.
@unsafe
struct ZeroedPages {
  /// Where the mapping starts: for large ones at a large page.
  let base: UnsafeMutableRawPointer
  /// Bytes to unmap.
  let byteCount: Int
  /// Whether all pages are small.
  let isSmall: Bool

  /// The size of a large page.
  private static let largePage = 1 << 21
  /// More bytes than this go to small pages.
  private static let largestDense = 64 << 20
  /// So much of the last large page may stay unused.
  private static let spare = 768 << 10

  /// A mapping of `byteCount` bytes, the first `dense` of which will be written; nil where the
  /// system refuses.
  init?(_ byteCount: Int, dense: Int) {
    guard byteCount <= Int.max / 2 else { return nil }
    let written = min(dense, byteCount)
    let large =
      unsafe written > Self.largestDense
      ? 0 : (written + Self.spare) / Self.largePage * Self.largePage
    let length = max(byteCount, large)
    let slack = unsafe large > 0 ? Self.largePage : 0
    let mapping = unsafe mmap(
      nil, length + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let mapping = unsafe mapping, unsafe mapping != MAP_FAILED else { return nil }
    // Where large pages are wanted, the mapping starts at one: what is before and behind goes back.
    let before = slack == 0 ? 0 : -Int(bitPattern: mapping) & (slack - 1)
    unsafe base = mapping + before
    unsafe self.byteCount = length
    unsafe isSmall = large == 0
    if before > 0 { unsafe _ = munmap(mapping, before) }
    if slack > before {
      let page = max(sysconf(Int32(_SC_PAGESIZE)), 1)
      let end = (length + page - 1) / page * page
      unsafe _ = munmap(base + end, slack - before)
    }
    #if os(Linux)
      // Where this is refused, pages are small.
      if large > 0 { unsafe _ = madvise(base, large, MADV_HUGEPAGE) }
    #endif
  }

  /// Has the system find memory for `byteCount` bytes of small pages from `base` on, before they are
  /// written.
  ///
  /// Page by page, at each first write, that may take twice as long. More than about what stays in a
  /// cache is left to first writes. Where it is refused, as before Linux 5.14, nothing changes.
  static func populate(_ base: UnsafeMutableRawPointer, byteCount: Int) {
    #if os(Linux)
      guard byteCount > 0, unsafe byteCount <= mostPopulated else { return }
      let page = max(sysconf(Int32(_SC_PAGESIZE)), 1)
      let before = Int(bitPattern: base) % page
      unsafe _ = madvise(base - before, byteCount + before, populateForWriting)
    #endif
  }

  /// More bytes than this are not populated at once.
  private static let mostPopulated = 1 << 20
  /// `MADV_POPULATE_WRITE`, which not all C libraries declare.
  private static let populateForWriting: Int32 = 23

  /// Gives back `byteCount` bytes of a mapping from `base` on.
  static func unmap(_ base: UnsafeMutableRawPointer, byteCount: Int) {
    unsafe _ = munmap(base, byteCount)
  }
}
