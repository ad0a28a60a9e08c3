// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers
package import ModelSchema

/// What a page knows about a node, apart from its tensors: the bytes of its options.
///
/// The host's type holds decoded options of any operator, which needs casts that Embedded Swift
/// lacks. Here the operator that asks for options decodes them.
package struct NodeDescription: Sendable {
  private let stored: [UInt8]

  /// A node whose options are the root table of these bytes; none where they are empty.
  package init(options: [UInt8]) { stored = options }

  /// Whether there are options.
  package var hasOptions: Bool { !stored.isEmpty }

  /// The node's options, with the schema's defaults for what is left out.
  ///
  /// - Throws: `KernelError` where the bytes are no table of them.
  package func options<Options: OptionsTable>(
    _ type: Options.Type = Options.self
  ) throws(KernelError) -> Options {
    guard hasOptions else { return Options() }
    do throws(FlatBufferError) {
      return try Options(try Table(root: stored.span))
    } catch {
      throw .invalid("malformed options: \(error.description)")
    }
  }
}
