// SPDX-License-Identifier: Apache-2.0

import HostileInputs

/// How a case's file is made of whole ones; a case is told by its number alone.
enum FileChange: String {
  /// Every beginning of every file, from none of it to all but the last byte.
  case prefixes
  /// Every file with each of its bytes inverted.
  case flips
  /// Every file with one bit of each of its bytes inverted.
  case bits
  /// Models, changed by what they are made of; case after case another file.
  case mutations
  /// Bytes of any kind, changed at random.
  case bytes
  /// As `bytes`, of PNG files, every second one with right checksums.
  case chunks
  /// As `bytes`, of models, in their last tenth: metadata and archives.
  case tails

  /// How many cases the files make; nil for as many as are asked for.
  func caseCount(of files: [[UInt8]]) -> Int? {
    switch self {
    case .prefixes, .flips, .bits: files.reduce(0) { $0 + $1.count }
    case .mutations, .bytes, .chunks, .tails: nil
    }
  }

  /// The file of a case.
  func applied(to files: [[UInt8]], _ number: Int) -> [UInt8] {
    switch self {
    case .prefixes, .flips, .bits:
      var location = number
      for file in files {
        if location < file.count { return changed(file, at: location) }
        location -= file.count
      }
      return []
    case .mutations, .bytes, .chunks, .tails:
      return files.isEmpty ? [] : changed(files[number % files.count], seed: UInt32(number))
    }
  }

  private func changed(_ file: [UInt8], at location: Int) -> [UInt8] {
    if self == .prefixes { return Array(file.prefix(location)) }
    var file = file
    file[location] ^= self == .flips ? 0xFF : 1 << UInt8(location % 8)
    return file
  }

  private func changed(_ file: [UInt8], seed: UInt32) -> [UInt8] {
    switch self {
    case .mutations: return ModelMutation(seed: seed).applied(to: file) ?? file
    case .chunks:
      let changed = ByteMutation(seed: seed).applied(to: file)
      return seed % 2 == 0 ? changed : PNGChecksums.repaired(changed)
    case .tails:
      return ByteMutation(seed: seed).applied(to: file, from: file.count - file.count / 10)
    default: return ByteMutation(seed: seed).applied(to: file)
    }
  }
}
