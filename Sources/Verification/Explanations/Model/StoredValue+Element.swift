// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension StoredValue {
  /// An element as Swift knows it.
  init<Element: TensorElement>(_ element: Element) {
    switch element {
    case let value as Float: self = .float(value)
    case let value as Double: self = .double(value)
    case let value as any FloatElement: self = .float(value.widened)
    case let value as UInt64: self.init(integer: value)
    case let value as BoolByte: self = .integer(value.value ? 1 : 0)
    case let value as Complex<Float>: self = .complex(Double(value.real), Double(value.imaginary))
    case let value as Complex<Double>: self = .complex(value.real, value.imaginary)
    case let value as any FixedWidthInteger: self = .integer(Int(clamping: value))
    case _: self = .string([])
    }
  }
}
