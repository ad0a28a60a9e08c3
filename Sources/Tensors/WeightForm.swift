// SPDX-License-Identifier: Apache-2.0

/// What a value derived from a constant tensor depends on besides the tensor's bytes.
///
/// Numbers and not a description: that costs more to write than small weights to pack.
public struct WeightForm: Hashable, Sendable {
  private let kind: String
  private let level: String
  private var parameters: [Int]

  /// The form of one `kind` of packing for one instruction-set `level`, with such dimensions, zero
  /// points and addresses.
  public init(_ kind: String, level: String = "", _ parameters: [Int] = []) {
    self.kind = kind
    self.level = level
    self.parameters = parameters
  }

  /// The form with further parameters.
  public func adding(_ further: [Int]) -> WeightForm {
    var form = self
    form.parameters += further
    return form
  }
}
