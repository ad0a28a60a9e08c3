// SPDX-License-Identifier: Apache-2.0

import Formatting
import ModelFormat
import OptimizedKernels
import Tensors

extension Profile {
  /// The profile for a reader, with so many of the slowest nodes or all; `median` is the time of a
  /// run whose nodes are not timed.
  func text(nodeCount: Int?, median: Double) -> String {
    let (listed, heading) = listing(nodeCount)
    let isNested = Set(nodes.map(\.times.location.subgraph)).count > 1
    return [
      summary(median: median), kindText, heading,
      ProfileTable(
        "node", ["operator", "kernel"], kernelColumn: 1, total: milliseconds,
        listed.map { ProfileTable.Row($0, namesSubgraph: isNested) }
      ).text,
    ].joined(separator: "\n\n")
  }

  /// What was measured, and the limits that rates are compared with.
  private func summary(median: Double) -> String {
    let runs = observed.runs.count
    let unit = TimeUnit(for: milliseconds)
    let part = median > 0 ? "\((100 * milliseconds / median).fixed(1)) % of " : ""
    return """
      profile: medians of \(runs) further run\(runs == 1 ? "" : "s") with timed nodes
      nodes  \(unit.text(milliseconds)) \(unit.name) in all
        \(part)the median run above, \(unit.text(median)) \(unit.name)
      \(limits.text)
      """
  }

  /// The operators and kernels, without those that take no time.
  private var kindText: String {
    let isIdle = { (kind: Kind) in kind.kernelName == nil && share(kind.milliseconds) < 0.05 }
    let kinds = kinds
    let shown = kinds.filter { !isIdle($0) }.map { ProfileTable.Row($0) }
    let sum = ProfileTable.Row(
      name: "all", details: ["", "\(nodes.count)"], milliseconds: milliseconds, work: work)
    let table = ProfileTable(
      "operator", ["kernel", "count"], kernelColumn: 0, total: milliseconds, shown + [sum]
    ).text
    let idle = kinds.filter(isIdle).reduce(0) { $0 + $1.count }
    guard idle > 0 else { return table }
    let (verb, location) = idle == 1 ? ("needs", "the result is") : ("need", "results are")
    return table
      + "\n\(idle) of them \(verb) no kernel:\n  \(location) known beforehand, or in place"
  }

  private func listing(_ nodeCount: Int?) -> ([ProfiledNode], heading: String) {
    guard let nodeCount, nodeCount < nodes.count else {
      return nodeCount == nil
        ? (nodes, "all in the order of the model") : (slowest, "all, slowest first")
    }
    let count = nodeCount == 1 ? "the slowest" : "the slowest \(nodeCount)"
    return (
      Array(slowest.prefix(nodeCount)), "\(count) of \(nodes.count); --top all lists all"
    )
  }
}

extension ProfileTable.Row {
  private static let noKernel = "–"
  private static let listedShapes = 4

  /// The row of an operator.
  fileprivate init(_ kind: Profile.Kind) {
    self.init(
      name: kind.operatorName.printable,
      details: [Self.short(kernel: kind.kernelName), "\(kind.count)"],
      milliseconds: kind.milliseconds, work: kind.work)
  }

  /// The row of a node.
  fileprivate init(_ node: ProfiledNode, namesSubgraph: Bool) {
    let members = node.times.members.map(String.init).joined(separator: "+")
    self.init(
      name: namesSubgraph ? "\(node.times.location.subgraph):\(members)" : members,
      details: [node.times.operatorName.printable, Self.short(kernel: node.times.kernelName)],
      milliseconds: node.milliseconds, work: node.work,
      shapes: "\(Self.shapes(node.inputs)) → \(Self.shapes(node.outputs))")
  }

  /// A kernel's type; of reference kernels, what loops.
  private static func short(kernel name: String?) -> String {
    guard var name else { return noKernel }
    let wrapper = "LoopKernel<"
    if name.hasPrefix(wrapper) { name = String(name.dropFirst(wrapper.count).dropLast()) }
    return name
  }

  /// Shapes as in `1x8x8x3, 16x3x3x3`, the first ones of many.
  private static func shapes(_ types: [TensorType?]) -> String {
    let texts = types.map { $0.map { "\($0.shape)" } ?? "–" }
    guard texts.count > listedShapes else { return texts.joined(separator: ", ") }
    return texts.prefix(listedShapes - 1).joined(separator: ", ")
      + " and \(texts.count - listedShapes + 1) more"
  }
}

extension MachineLimits {
  /// The limits for a reader.
  fileprivate var text: String {
    func gigabytes(_ sample: MemoryRates.Sample) -> String {
      "\((sample.copying * Double(threadCount) / 1e9).threeDigits) GB/s"
        + " (\(sample.byteCount.byteText))"
    }
    let memory = memory.samples
    return """
      limits measured here, \(level), \(threadCount) thread\(threadCount == 1 ? "" : "s")
        float \((floatRate / 1e9).threeDigits) GMAC/s
        int8 \((byteRate / 1e9).threeDigits) GMAC/s
        copying \(gigabytes(memory[0])) to \(gigabytes(memory[memory.count - 1]))
      """
  }
}
