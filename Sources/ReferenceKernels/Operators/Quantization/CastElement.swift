// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// An element that `CAST` converts, by way of a carrier that holds every value of its kind.
package protocol CastElement: TensorElement {
  /// `Int64`, `Double` or `Complex<Float>`.
  associatedtype Carrier: CastCarrier

  /// The value, exactly.
  var carrier: Carrier { get }

  /// The value nearest to an integer.
  init(casting value: Int64)

  /// The value nearest to a real number.
  init(casting value: Double)

  /// The value nearest to a complex number.
  init(casting value: Complex<Float>)
}

/// What a value is converted through.
package protocol CastCarrier: Sendable {
  /// The value as another type's.
  func cast<Target: CastElement>() -> Target
}

extension Int64: CastCarrier {
  @inline(__always)
  package func cast<Target: CastElement>() -> Target { Target(casting: self) }
}

extension Double: CastCarrier {
  @inline(__always)
  package func cast<Target: CastElement>() -> Target { Target(casting: self) }
}

extension Complex: CastCarrier where Part == Float {
  @inline(__always)
  package func cast<Target: CastElement>() -> Target { Target(casting: self) }
}

extension CastElement {
  @inline(__always)
  package init(casting value: Complex<Float>) { self.init(casting: Double(value.real)) }
}

extension CastElement where Self: FixedWidthInteger {
  @inline(__always)
  package var carrier: Int64 { Int64(truncatingIfNeeded: self) }

  @inline(__always)
  package init(casting value: Int64) { self.init(truncatingIfNeeded: value) }

  @inline(__always)
  package init(casting value: Double) {
    // As a double, the greatest Int64 is one too large to convert.
    if value >= Double(Self.max) || value.isNaN {
      self = .max
    } else {
      self = value > Double(Self.min) ? Self(truncatingIfNeeded: Int64(value)) : .min
    }
  }
}

extension CastElement where Self: FloatElement {
  @inline(__always)
  package var carrier: Double { Double(widened) }

  @inline(__always)
  package init(casting value: Int64) { self.init(narrowing: Float(value)) }

  @inline(__always)
  package init(casting value: Double) { self.init(narrowing: Float(value)) }
}

extension Int8: CastElement {}
extension UInt8: CastElement {}
extension Int16: CastElement {}
extension UInt16: CastElement {}
extension Int32: CastElement {}
extension UInt32: CastElement {}
extension Int64: CastElement {}
extension Float: CastElement {}
extension BFloat16: CastElement {}

#if !(os(macOS) && arch(x86_64))
  extension Float16: CastElement {}
#endif

extension Double: CastElement {
  @inline(__always)
  package var carrier: Double { self }

  @inline(__always)
  package init(casting value: Int64) { self.init(value) }

  @inline(__always)
  package init(casting value: Double) { self = value }
}

extension BoolByte: CastElement {
  @inline(__always)
  package var carrier: Int64 { value ? 1 : 0 }

  @inline(__always)
  package init(casting value: Int64) { self.init(value != 0) }

  @inline(__always)
  package init(casting value: Double) { self.init(value != 0) }
}

extension Complex: CastElement where Part == Float {
  @inline(__always)
  package var carrier: Complex<Float> { self }

  @inline(__always)
  package init(casting value: Int64) { self.init(Float(value), 0) }

  @inline(__always)
  package init(casting value: Double) { self.init(Float(value), 0) }

  @inline(__always)
  package init(casting value: Complex<Float>) { self = value }
}
