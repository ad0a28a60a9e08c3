// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// A tensor's element type as the Open Inference Protocol calls it.
package enum InferenceDatatype: String, CaseIterable {
  case bool = "BOOL"
  case uint8 = "UINT8"
  case uint16 = "UINT16"
  case uint32 = "UINT32"
  case uint64 = "UINT64"
  case int8 = "INT8"
  case int16 = "INT16"
  case int32 = "INT32"
  case int64 = "INT64"
  case float16 = "FP16"
  case float32 = "FP32"
  case float64 = "FP64"
  case bytes = "BYTES"

  /// The datatype that holds a tensor's elements, those below a byte widened; nil where the
  /// protocol has none.
  package init?(_ elementType: ElementType) {
    switch elementType {
    case .bool: self = .bool
    case .uint8, .uint4: self = .uint8
    case .uint16: self = .uint16
    case .uint32: self = .uint32
    case .uint64: self = .uint64
    case .int8, .int4, .int2: self = .int8
    case .int16: self = .int16
    case .int32: self = .int32
    case .int64: self = .int64
    case .float16: self = .float16
    case .float32: self = .float32
    case .float64: self = .float64
    case .string: self = .bytes
    case .bfloat16, .complex64, .complex128, .resource, .variant: return nil
    }
  }
}
