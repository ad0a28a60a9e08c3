// SPDX-License-Identifier: Apache-2.0

internal import Formatting
internal import Imaging
internal import ModelFormat
internal import PageMarkup

extension AuditReport {
  /// What the model says.
  var resultSection: Markup {
    var content: [Markup] = []
    if let answer { content.append(Self.answer(answer)) }
    if let image {
      if answer == nil { content.append(Self.answer(image)) }
      if let map = image.occlusion {
        content.append(.tag("h3", [:], "Where the model looks"))
        content.append(
          .figure(
            .image(
              map.image, "The image with a map of what the answer depends on",
              scale: map.image.width < 160 ? 4 : 1, isSmooth: map.image.width >= 160),
            caption: "A grey window of a quarter of the image is moved over it. The lighter a "
              + "location, the more of \(map.subject) is lost when it is hidden: at most "
              + "\(((map.losses.max() ?? 0) * 100).fixed(1)) %."))
      }
    }
    for output in scores {
      let largest = output.largest.map(\.value).max() ?? 0
      let rows = output.largest.map { index, value in
        Markup.Row([
          "\(index)", .text(value.short(5)),
          Drawing.bar(largest > 0 ? value / largest : 0, "\(value.short(3))"),
        ])
      }
      content.append(
        .table(
          caption: "\(output.name.printable), \(output.type): the largest values",
          [.numbers("Element"), .numbers("Value"), .words("")], rows))
    }
    return .section("result", "Result", content)
  }

  private static func answer(_ image: ImageFacts) -> Markup {
    switch image.answer {
    case .numbers: .nothing
    case .labels(let heads):
      .group([
        .figure(.image(image.shown, "The image"), caption: image.fileName),
        .group(
          heads.map { head in
            .table(
              caption: "\(head.name.printable): the best classes",
              [.words("Class"), .numbers("Score"), .words("")],
              head.classes.map { label, score in
                Markup.Row([
                  .text(label.printable), .text(score.fixed(4)), Drawing.bar(score, score.fixed(2)),
                ])
              })
          }),
      ])
    case .objects(let things):
      .group([
        overlay(
          image, boxes(things, image),
          "The image with \(things.count) box\(things.count == 1 ? "" : "es")"),
        .table(
          caption: "Things that were found, best first",
          [
            .words("Thing"), .numbers("Score"), .numbers("Left"), .numbers("Top"),
            .numbers("Width"), .numbers("Height"),
          ],
          things.map { thing in
            Markup.Row([
              .text(thing.label.printable), .text(thing.score.fixed(3)),
              .text(thing.frame.x.fixed(1)),
              .text(thing.frame.y.fixed(1)), .text(thing.frame.width.fixed(1)),
              .text(thing.frame.height.fixed(1)),
            ])
          }),
      ])
    case .points(let points):
      .group([
        overlay(image, skeleton(points, image), "The image with the points of a body"),
        .table(
          caption: "Points of the body, in pixels of the upright image",
          [.words("Point"), .numbers("x"), .numbers("y"), .numbers("Score")],
          points.map { point in
            Markup.Row([
              .text(point.name), .text(point.x.fixed(1)), .text(point.y.fixed(1)),
              .text(point.score.fixed(3)),
            ])
          }),
      ])
    }
  }

  /// A drawing over the image.
  private static func overlay(
    _ image: ImageFacts, _ drawing: Drawing, _ text: String
  ) -> Markup {
    .figure(
      .tag(
        "div", ["class": "overlay"],
        [.image(image.shown, image.fileName), drawing.markup(text)]),
      caption: text)
  }

  private static func boxes(_ things: [ImageFacts.Thing], _ image: ImageFacts) -> Drawing {
    var drawing = Drawing(
      width: Double(image.shown.width), height: Double(image.shown.height))
    for (number, thing) in things.enumerated() {
      let color = PixelColor.distinct(number)
      let (x, y) = (thing.frame.x / image.shrink, thing.frame.y / image.shrink)
      drawing.rectangle(
        x, y, thing.frame.width / image.shrink, thing.frame.height / image.shrink,
        fill: "none", title: "\(thing.label.printable) \(thing.score.fixed(2))",
        style: "stroke:rgb(\(color.red),\(color.green),\(color.blue));stroke-width:3")
      let words = [thing.label.printable, thing.score.fixed(2)].filter { !$0.isEmpty }
        .joined(separator: " ")
      let top = max(y - 9, 9)
      let width = Double(words.count) * 7.2 + 8
      let left = LabelPlacement.left(x, width: width, within: drawing.width)
      drawing.rectangle(left, top - 9, width, 18, fill: "rgba(0,0,0,.72)")
      drawing.add(
        .tag(
          "text", ["x": (left + 4).mark, "y": (top + 4).mark, "style": "fill:#fff"], words))
    }
    return drawing
  }

  private static func skeleton(
    _ points: [ImageFacts.BodyPoint], _ image: ImageFacts
  ) -> Drawing {
    var drawing = Drawing(
      width: Double(image.shown.width), height: Double(image.shown.height))
    func location(_ index: Int) -> (x: Double, y: Double) {
      (points[index].x / image.shrink, points[index].y / image.shrink)
    }
    for (first, second) in BodyPoints.bones
    where points.indices.contains(first) && points.indices.contains(second) {
      let (a, b) = (location(first), location(second))
      let score = min(points[first].score, points[second].score)
      drawing.line(
        a.x, a.y, b.x, b.y,
        style: "stroke:#ffd23f;stroke-width:3;stroke-opacity:\(score > 0.2 ? "1" : ".25")")
    }
    for index in points.indices {
      let (x, y) = location(index)
      drawing.rectangle(
        x - 4, y - 4, 8, 8, fill: "#e63946",
        title: "\(points[index].name) \(points[index].score.fixed(2))", style: "rx:4px")
    }
    return drawing
  }

  /// How the image became the input.
  var preprocessingSection: Markup {
    guard let image else {
      if let answer { return Self.inputSection(answer) }
      if let inputOrigin { return Self.inputSection(inputOrigin) }
      return .section(
        "preprocessing", "Input",
        [.paragraph("The inputs were given as numbers; their digests are above.")])
    }
    return .section(
      "preprocessing", "Input",
      [
        .figure(
          .image(
            image.seen, "What the model sees", scale: image.seen.width < 160 ? 4 : 1,
            isSmooth: image.seen.width >= 160),
          caption: "What the model sees: \(image.seen.width)×\(image.seen.height), upright, "
            + "before it is normalized"),
        .facts([
          ("Image", .code(image.fileName)),
          (
            "SHA-256",
            image.fileDigest.isEmpty ? "not known" : .code(image.fileDigest)
          ),
          ("Stored size", "\(image.storedSize.width)×\(image.storedSize.height)"),
          ("Orientation", "\(image.orientation)"),
          ("Size comes from the", .text(image.sizeOrigin)),
          ("Other proportions", .text(image.fit)), ("Resized by", .text(image.filter)),
          ("Channels", .text(image.channelOrder)),
          (
            "Normalization", "\(image.normalization) (from: \(image.normalizationOrigin))"
          ),
        ]),
      ])
  }
}
