// SPDX-License-Identifier: Apache-2.0

public import FlatBuffers
package import ModelSchema

/// What a model says about a node, apart from its tensors.
public struct NodeDescription: Sendable {
  /// The operator's version.
  public let version: Int
  /// A custom operator's options as stored, often FlexBuffers; empty for built-in operators.
  public let customOptions: [UInt8]
  private let stored: (any OptionsTable)?

  /// A node with these options.
  package init(version: Int = 1, options: (any OptionsTable)? = nil, customOptions: [UInt8] = []) {
    self.version = version
    self.customOptions = customOptions
    stored = options
  }

  /// A custom operator's options as a FlexBuffer, most often a map.
  ///
  /// - Throws: `KernelError` where they are malformed.
  public func flexOptions() throws(KernelError) -> FlexValue {
    do throws(FlatBufferError) {
      return try FlexBuffers.decode(customOptions.span)
    } catch {
      throw .invalid("malformed options: \(error)")
    }
  }

  /// Whether the model says anything about the node's options.
  package var hasOptions: Bool { stored != nil }

  /// The node's options, with the schema's defaults where the model leaves them out.
  ///
  /// - Throws: `KernelError` where the node carries the options of another operator.
  package func options<Options: OptionsTable>(
    _ type: Options.Type = Options.self
  ) throws(KernelError) -> Options {
    guard let stored else { return Options() }
    guard let options = stored as? Options else { throw Self.mismatch(stored, type) }
    return options
  }

  @inline(never)
  private static func mismatch(
    _ stored: any OptionsTable, _ wanted: any OptionsTable.Type
  ) -> KernelError {
    .invalid("options are of type \(Swift.type(of: stored)), wanted \(wanted)")
  }
}
