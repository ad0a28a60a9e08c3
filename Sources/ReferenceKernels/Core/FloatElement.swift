// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// A float element whose values `Float` holds exactly: FLOAT32, FLOAT16 and BFLOAT16.
package protocol FloatElement: TensorElement {
  /// `value` rounded to the nearest element, ties to even.
  init(narrowing value: Float)

  /// The same value as a `Float`.
  var widened: Float { get }

  /// The greatest finite value.
  static var greatestFinite: Float { get }
}

extension Float: FloatElement {
  @inline(__always)
  package init(narrowing value: Float) { self = value }

  @inline(__always)
  package var widened: Float { self }

  package static var greatestFinite: Float { .greatestFiniteMagnitude }
}

#if !(os(macOS) && arch(x86_64))
  extension Float16: FloatElement {
    @inline(__always)
    package init(narrowing value: Float) { self.init(value) }

    @inline(__always)
    package var widened: Float { Float(self) }

    package static var greatestFinite: Float { 65504 }
  }
#endif

extension BFloat16: FloatElement {
  @inline(__always)
  package init(narrowing value: Float) { self.init(value) }

  @inline(__always)
  package var widened: Float { float }

  package static var greatestFinite: Float { 0x1.fep127 }
}
