// SPDX-License-Identifier: Apache-2.0

/// The SHA-256 digest of bytes that arrive in pieces (FIPS 180-4).
package struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  private var schedule = [UInt32](repeating: 0, count: 64)
  /// The start of the block that is not yet full.
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0

  /// The digest of nothing so far.
  package init() { pending.reserveCapacity(64) }

  /// Continues with `bytes`.
  package mutating func update(_ bytes: Span<UInt8>) {
    byteCount &+= UInt64(bytes.count)
    var position = 0
    if !pending.isEmpty {
      while position < bytes.count, pending.count < 64 {
        pending.append(bytes[position])
        position += 1
      }
      guard pending.count == 64 else { return }
      let block = pending
      compress(block.span, at: 0)
      pending.removeAll(keepingCapacity: true)
    }
    while bytes.count - position >= 64 {
      compress(bytes, at: position)
      position += 64
    }
    while position < bytes.count {
      pending.append(bytes[position])
      position += 1
    }
  }

  /// The 32 bytes of the digest.
  package consuming func finalize() -> [UInt8] {
    let bitCount = byteCount &* 8
    let zeroCount = (119 - pending.count) % 64
    var padding: [UInt8] = [0x80] + [UInt8](repeating: 0, count: zeroCount)
    for shift in stride(from: 56, through: 0, by: -8) {
      padding.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift)))
    }
    update(padding.span)
    return state.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  /// The digest of `bytes`.
  package static func digest(_ bytes: Span<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finalize()
  }

  /// The digest of `bytes` as 64 lowercase hexadecimal digits.
  package static func hexadecimalDigest(_ bytes: Span<UInt8>) -> String {
    hexadecimal(digest(bytes))
  }

  /// `bytes` as lowercase hexadecimal digits.
  package static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}

extension SHA256 {
  /// Mixes the 64 bytes from `position` on into the state.
  private mutating func compress(_ bytes: Span<UInt8>, at position: Int) {
    for word in 0..<16 {
      var value: UInt32 = 0
      for byte in 0..<4 { value = value << 8 | UInt32(bytes[position + 4 * word + byte]) }
      schedule[word] = value
    }
    for word in 16..<64 {
      let early = schedule[word - 15]
      let late = schedule[word - 2]
      let mixedEarly = rotate(early, 7) ^ rotate(early, 18) ^ early >> 3
      let mixedLate = rotate(late, 17) ^ rotate(late, 19) ^ late >> 10
      schedule[word] = schedule[word - 16] &+ mixedEarly &+ schedule[word - 7] &+ mixedLate
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for round in 0..<64 {
      let choice = (e & f) ^ (~e & g)
      let sumOfE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      let first = h &+ sumOfE &+ choice &+ Self.constants[round] &+ schedule[round]
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ majority
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
  }

  private func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 {
    value >> count | value << (32 - count)
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1,
    0x923f_82a4, 0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
    0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786,
    0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147,
    0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
    0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a,
    0x5b9c_ca4f, 0x682e_6ff3, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
    0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
