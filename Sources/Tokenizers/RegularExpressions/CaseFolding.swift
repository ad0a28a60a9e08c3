// SPDX-License-Identifier: Apache-2.0

/// Code points that differ only in case, by simple case folding (Unicode Standard, section 3.13).
///
/// The standard library has mappings to lower and upper case, from which folding follows but for
/// the letters named here.
enum CaseFolding {
  /// The code points that equal `value` when case is ignored, itself among them.
  static func orbit(of value: UInt32) -> [UInt32] {
    orbits[folded(value)] ?? [value]
  }

  private static let orbits: [UInt32: [UInt32]] = {
    var orbits: [UInt32: [UInt32]] = [:]
    // Above come scripts without cases.
    for value in UInt32(0x41)...0x1F000 {
      guard let scalar = Unicode.Scalar(value), scalar.properties.isCased || value == 0x345
      else { continue }
      orbits[folded(value), default: []].append(value)
    }
    return orbits.filter { $0.value.count > 1 }
  }()

  /// What the code points of an orbit have in common.
  private static func folded(_ value: UInt32) -> UInt32 {
    switch value {
    // The dotless i has no other case when folded, nor has the capital with a dot.
    case 0x131, 0x130: return value
    // Ligatures and letters with two accents that are there twice.
    case 0xFB05: return 0xFB06
    case 0x1FD3: return 0x390
    case 0x1FE3: return 0x3B0
    default: break
    }
    let upper = single(value) { $0.uppercaseMapping } ?? value
    return single(upper) { $0.lowercaseMapping } ?? upper
  }

  private static func single(
    _ value: UInt32, _ mapping: (Unicode.Scalar.Properties) -> String
  ) -> UInt32? {
    guard let scalar = Unicode.Scalar(value) else { return nil }
    let mapped = mapping(scalar.properties).unicodeScalars
    return mapped.count == 1 ? mapped.first?.value : nil
  }
}
