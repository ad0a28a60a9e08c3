// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// Variables and tables that handles refer to, which last as long as the interpreter, and the lists
/// of an invocation.
package final class Resources {
  /// The name of a variable: its container and its shared name.
  package struct VariableName: Hashable {
    let container: String
    let sharedName: String

    /// A name.
    package init(container: String, sharedName: String) {
      self.container = container
      self.sharedName = sharedName
    }
  }

  private var handles: [VariableName: Int32] = [:]
  private var variables: [Int32: Variable] = [:]
  /// The subgraphs that `CALL_ONCE` has run.
  package var initialized: Set<Int> = []
  /// The tables by their identifiers.
  package var tables: [Int32: LookupTable] = [:]

  /// The lists of tensors of the latest invocation.
  package var lists = TensorLists()

  /// Nothing yet.
  package init() {}

  /// The handle of a variable, the same for the same name.
  package func handle(of name: VariableName) -> Int32 {
    if let handle = handles[name] { return handle }
    let handle = Int32(clamping: handles.count)
    handles[name] = handle
    return handle
  }

  /// The variable of a handle; nil before it has a value.
  package func variable(_ handle: Int32) -> Variable? { variables[handle] }

  /// The value of a variable; nil before it has one.
  package subscript(variable handle: Int32) -> TensorValue? { variables[handle]?.value }

  /// Gives a variable another value, in memory of its own.
  package func assign(_ value: TensorValue, to handle: Int32) {
    if let known = variables[handle] {
      known.value = value
    } else {
      variables[handle] = Variable(value)
    }
  }
}

/// What a variable holds.
package final class Variable {
  /// The value, whose bytes are written over where it keeps its type.
  package fileprivate(set) var value: TensorValue {
    didSet { version &+= 1 }
  }
  /// Changes when the value gets another type or other memory.
  package private(set) var version = 0

  fileprivate init(_ value: TensorValue) { self.value = value }
}

/// A table of a `HASHTABLE` resource.
package struct LookupTable {
  /// Keys and values as bytes: strings, or little-endian 64-bit numbers.
  package var entries: [[UInt8]: [UInt8]] = [:]
  /// The element type of the keys.
  package let keyType: ElementType
  /// The element type of the values.
  package let valueType: ElementType
  /// Whether an import has filled the table; later ones change nothing.
  package var isInitialized = false

  /// An empty table.
  package init(keyType: ElementType, valueType: ElementType) {
    self.keyType = keyType
    self.valueType = valueType
  }
}
