// SPDX-License-Identifier: Apache-2.0

/// A binary heap that orders elements as the C++ standard library's GNU implementation does.
///
/// Where elements are equal, which of them comes first is up to the algorithm. TFLite sorts
/// scores with `std::partial_sort` and `std::priority_queue`, and quantized scores are often
/// equal, so this follows libstdc++ step by step (`stl_heap.h`).
package struct StandardHeap<Element> {
  /// The elements; the first `count` form the heap.
  package private(set) var elements: [Element]
  /// Elements of the heap.
  package private(set) var count: Int
  private let isLess: (Element, Element) -> Bool

  /// A heap of the first `count` of `elements`, the largest on top.
  package init(
    _ elements: [Element], count: Int, by isLess: @escaping (Element, Element) -> Bool
  ) {
    self.elements = elements
    self.count = count
    self.isLess = isLess
    for parent in stride(from: count / 2 - 1, through: 0, by: -1) {
      adjust(from: parent, count: count, elements[parent])
    }
  }

  /// The largest element; nil when there is none.
  var top: Element? { count > 0 ? elements[0] : nil }

  /// Adds an element.
  package mutating func push(_ element: Element) {
    elements.append(element)
    count += 1
    sift(element, up: count - 1, to: 0)
  }

  /// Takes the largest element away.
  package mutating func pop() -> Element? {
    guard let top else { return nil }
    let last = elements.removeLast()
    count -= 1
    if count > 0 { adjust(from: 0, count: count, last) }
    return top
  }

  /// The `count` least of `elements` in ascending order.
  package static func sorted(
    _ elements: [Element], least count: Int, by isLess: @escaping (Element, Element) -> Bool
  ) -> [Element] {
    guard count > 0 else { return [] }
    var heap = StandardHeap(elements, count: count, by: isLess)
    for index in count..<elements.count where isLess(elements[index], heap.elements[0]) {
      heap.adjust(from: 0, count: count, elements[index])
    }
    for last in stride(from: count - 1, to: 0, by: -1) {
      let element = heap.elements[last]
      heap.elements[last] = heap.elements[0]
      heap.adjust(from: 0, count: last, element)
    }
    return Array(heap.elements[..<count])
  }

  /// Moves the larger child of the hole up until the hole is at the bottom, then `element` up
  /// from there.
  private mutating func adjust(from start: Int, count: Int, _ element: Element) {
    var hole = start
    var child = start
    while child < (count - 1) / 2 {
      child = 2 * (child + 1)
      if isLess(elements[child], elements[child - 1]) { child -= 1 }
      elements[hole] = elements[child]
      hole = child
    }
    if count % 2 == 0, child == (count - 2) / 2 {
      child = 2 * child + 1
      elements[hole] = elements[child]
      hole = child
    }
    sift(element, up: hole, to: start)
  }

  private mutating func sift(_ element: Element, up start: Int, to top: Int) {
    var hole = start
    while hole > top, isLess(elements[(hole - 1) / 2], element) {
      elements[hole] = elements[(hole - 1) / 2]
      hole = (hole - 1) / 2
    }
    elements[hole] = element
  }
}
