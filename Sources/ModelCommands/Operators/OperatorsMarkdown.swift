// SPDX-License-Identifier: Apache-2.0

import Formatting
import ModelFormat
import ReferenceKernels

/// The page `Docs/Operators.md`, which is generated.
enum OperatorsMarkdown {
  /// The page without its final line break.
  static var text: String {
    let entries = OperatorCatalog.entries.map { entry in
      let optimized = Set(entry.optimizedVariants)
      let variants = entry.variants.map { optimized.contains($0) ? "**\($0)**" : $0 }
      return "| \(entry.code.rawValue) | \(entry.name) | "
        + "\(entry.versions.map { "\($0.highest)" } ?? "") | "
        + "\(variants.joined(separator: " ").replacing(text: "|", with: "\\|")) |"
    }
    let known = Set(OperatorCatalog.entries.map(\.code))
    let missing = OperatorCode.allCases.filter { !known.contains($0) && $0 != .custom }
    let custom = OperatorCatalog.custom.map(\.name)
    let names: (OperatorCode) -> String = { $0.schemaName }
    return """
      # Operators

      Written by `martlet ops --markdown`. \(entries.count) of the schema's \
      \(OperatorCode.allCases.count) operators have a reference kernel; types in **bold** have an \
      optimized one too, for the forms that its `init?` takes.

      Notation: `f32 f16 bf16 f64 i8 u8 i16 i32 i64 u32 c64 bool str` are plain types; `_q` means \
      quantized, `_pt` and `_pc` weights with one scale or one per channel; `i16x8` int16 \
      activations with int8 weights (`_b32`: int32 bias); `i4w`, `i2w` weights of 4 and 2 bits; \
      `hybrid_*` float activations with integer weights (`_asym`: asymmetric inputs); `rtw` weights \
      computed at run time; `a_to_b` differing input and output types.

      | code | operator | version up to | types |
      |---|---|---|---|
      \(entries.joined(separator: "\n"))

      Custom operators: \(custom.isEmpty ? "none" : custom.joined(separator: ", ")).

      Without a kernel: \(missing.map(names).joined(separator: ", ")).
      """
  }
}
