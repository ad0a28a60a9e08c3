// SPDX-License-Identifier: Apache-2.0

internal import ModelFormat
internal import PageMarkup

extension Drawing {
  /// The graph of the layers: each leads to its row in the table, and is the darker the more of the
  /// model's multiply-accumulates it does.
  static func graph(_ layers: [Layer]) -> Markup {
    let locationOfTensor = Dictionary(
      layers.enumerated().flatMap { location, layer in layer.outputs.map { ($0.tensor, location) }
      },
      uniquingKeysWith: { first, _ in first })
    var edges: [(source: Int, target: Int)] = []
    for (location, layer) in layers.enumerated() {
      for source in Set(layer.activations.compactMap { locationOfTensor[$0] }).sorted() {
        edges.append((source, location))
      }
    }
    let layout = GraphLayout(nodeCount: layers.count, edges: edges)
    var drawing = Drawing(width: layout.width, height: layout.height)
    for path in layout.paths { drawing.add(edge(path)) }
    let most = Double(max(layers.compactMap(\.multiplyAdds).max() ?? 1, 1))
    for (location, layer) in layers.enumerated() {
      let share = Double(layer.multiplyAdds ?? 0) / most
      drawing.add(node(layer, at: layout.center(ofNode: location), share: share))
    }
    return drawing.group("Graph of \(layers.count) nodes")
  }

  /// A line through the middles of what an edge passes, bent like an S from rank to rank.
  private static func edge(_ path: GraphLayout.Path) -> Markup {
    var commands = ""
    var previous: (x: Double, y: Double)?
    for (number, point) in path.points.enumerated() {
      let isLast = number == path.points.count - 1
      let y =
        number == 0
        ? point.y + GraphLayout.nodeHeight / 2
        : isLast ? point.y - GraphLayout.nodeHeight / 2 : point.y
      if let from = previous {
        let half = (from.y + y) / 2
        commands += "C\(from.x.mark) \(half.mark) \(point.x.mark) \(half.mark) "
        commands += "\(point.x.mark) \(y.mark)"
      } else {
        commands = "M\(point.x.mark) \(y.mark)"
      }
      previous = (point.x, y)
    }
    return .tag(
      "path", ["d": commands, "style": "fill:none;stroke:var(--muted);stroke-width:1.2"])
  }

  private static func node(
    _ layer: Layer, at center: (x: Double, y: Double), share: Double
  ) -> Markup {
    let (width, height) = (GraphLayout.nodeWidth, GraphLayout.nodeHeight)
    let name =
      layer.operatorName.count > 22
      ? layer.operatorName.printable.prefix(21) + "…" : Substring(layer.operatorName.printable)
    var box = Drawing(width: width, height: height)
    box.rectangle(
      center.x - width / 2, center.y - height / 2, width, height, fill: "var(--panel)",
      style: "stroke:var(--accent);rx:6px")
    box.rectangle(
      center.x - width / 2, center.y - height / 2, width, height, fill: "var(--accent)",
      style: "fill-opacity:\((0.04 + 0.36 * share.squareRoot()).mark);rx:6px")
    box.text(center.x, center.y - 2, "\(layer.index) \(name)", anchor: "middle")
    let shape = layer.outputs.first.map { "\($0.type)" } ?? layer.state
    box.text(center.x, center.y + 12, shape, anchor: "middle", style: "small")
    return .tag(
      "a", ["href": "#node-\(layer.index)", "aria-label": "node \(layer.title), \(shape)"],
      box.parts + [.tag("title", [:], "\(layer.title) \(layer.attributes)")])
  }
}
