// SPDX-License-Identifier: Apache-2.0

import Tensors

/// The lists of tensors of an invocation: TensorFlow's `TensorList`.
///
/// A list is a value: an operator that changes one gives another, and whoever still has the first
/// sees it as it was. Loops, though, change a list and forget it. So each list is kept in its
/// latest state, together with what leads back to the earlier ones; a change takes the same time
/// however long the list is, and only a change of an earlier state makes a copy.
package struct TensorLists {
  /// A list in one of its states; what a tensor of type `VARIANT` holds.
  package struct State: Equatable {
    /// Which list.
    let list: Int
    /// After how many changes.
    let version: Int
  }

  private var lists: [TensorList] = []
  /// Bytes of the session's memory that the lists hold.
  package private(set) var heldByteCount = 0

  /// A list without changes.
  mutating func add(_ list: TensorList) -> State {
    lists.append(list)
    return State(list: lists.count - 1, version: 0)
  }

  /// What holds for all elements of a list; nil where there is no such state.
  func kind(_ state: State) -> TensorList.Kind? {
    guard lists.indices.contains(state.list), 0...lists[state.list].version ~= state.version else {
      return nil
    }
    return lists[state.list].kind
  }

  /// The elements of a list, which must exist; nil for those that have not been set.
  func items(_ state: State) -> [TensorValue?] {
    lists[state.list].items(state.version)
  }

  /// The element at a position of a list, which must exist; nil where it has not been set.
  func item(_ state: State, at position: Int) -> TensorValue? {
    isLatest(state) ? lists[state.list].item(at: position) : items(state)[position]
  }

  /// How many elements a list has, which must exist.
  func count(_ state: State) -> Int {
    isLatest(state) ? lists[state.list].count : items(state).count
  }

  /// How many elements are copied before the state can be changed: none of a list's latest state.
  func copiedCount(_ state: State) -> Int {
    isLatest(state) ? 0 : lists[state.list].count + lists[state.list].version - state.version
  }

  /// Changes a list, which must exist, and gives its next state.
  mutating func change(_ state: State, _ change: TensorList.Change) -> State {
    let place =
      isLatest(state)
      ? state : add(TensorList(lists[state.list].kind, items: items(state)))
    lists[place.list].apply(change)
    return State(list: place.list, version: lists[place.list].version)
  }

  private func isLatest(_ state: State) -> Bool { state.version == lists[state.list].version }

  /// Notes that the lists hold more of the session's memory.
  mutating func hold(_ byteCount: Int) { heldByteCount += byteCount }

  /// Forgets all lists.
  package mutating func removeAll() { self = TensorLists() }
}

/// A list of tensors of one element type, with what leads back to its earlier states.
struct TensorList {
  /// What holds for all elements of a list.
  struct Kind {
    /// Their element type.
    let elementType: ElementType
    /// What is known of their shapes.
    let elementShape: PartialShape
    /// How many elements the list may have for another to be appended; nil for any number.
    var capacity: Int?
  }

  /// A change of one element.
  enum Change {
    /// The element at a position becomes another.
    case replace(Int, TensorValue?)
    /// There is another element at the end.
    case append(TensorValue?)
    /// The last element is gone.
    case removeLast
  }

  /// What holds for all elements.
  let kind: Kind
  private var items: [TensorValue?]
  /// What undoes the changes that led here, the latest last.
  private var reversals: [Change] = []

  /// A list of these elements; nil stands for those that have not been set.
  init(_ kind: Kind, items: [TensorValue?]) { (self.kind, self.items) = (kind, items) }

  /// How many changes led here.
  fileprivate var version: Int { reversals.count }

  /// How many elements there are now.
  fileprivate var count: Int { items.count }

  fileprivate func item(at position: Int) -> TensorValue? { items[position] }

  fileprivate mutating func apply(_ change: Change) {
    reversals.append(Self.perform(change, on: &items))
  }

  /// Performs a change and gives the one that undoes it.
  private static func perform(_ change: Change, on items: inout [TensorValue?]) -> Change {
    switch change {
    case .replace(let position, let item):
      let earlier = items[position]
      items[position] = item
      return .replace(position, earlier)
    case .append(let item):
      items.append(item)
      return .removeLast
    case .removeLast:
      return .append(items.removeLast())
    }
  }

  /// The elements after the first `version` changes.
  fileprivate func items(_ version: Int) -> [TensorValue?] {
    var earlier = items
    for reversal in reversals[version...].reversed() { _ = Self.perform(reversal, on: &earlier) }
    return earlier
  }
}
