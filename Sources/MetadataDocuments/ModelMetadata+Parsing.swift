// SPDX-License-Identifier: Apache-2.0

package import JSONDocuments
package import MetadataFormat

extension ModelMetadata {
  /// The schema of the documents that hold metadata.
  package static let jsonSchema = "martlet/metadata/1"

  /// The metadata in a document as `martlet metadata` prints it; nil where that says there is none.
  ///
  /// Of the document, only `metadata` is read; in it, members that are not known are errors, since
  /// they would be lost. `content` is `properties` in words, and is not read.
  ///
  /// - Throws: `JSONContentError` that names the member.
  package static func described(by document: JSON) throws(JSONContentError) -> ModelMetadata? {
    guard document["schema"] == .string(jsonSchema) else {
      throw JSONContentError(reason: "\(jsonSchema) is wanted", path: "schema")
    }
    guard let metadata = document["metadata"] else {
      throw JSONContentError(reason: "the member is missing", path: "metadata")
    }
    return metadata == .null ? nil : try ModelMetadata(metadata, at: "metadata")
  }

  private init(_ json: JSON, at path: String) throws(JSONContentError) {
    let object = try JSONObject(
      json, at: path,
      members: [
        "name", "description", "version", "author", "license", "minimum_parser_version", "files",
        "subgraphs",
      ])
    self.init(
      name: try object.text("name"), description: try object.text("description"),
      version: try object.text("version"),
      subgraphs: try object.list("subgraphs", SubgraphMetadata.init),
      author: try object.text("author"), license: try object.text("license"),
      associatedFiles: try object.list("files", AssociatedFile.init),
      minimumParserVersion: try object.text("minimum_parser_version"))
  }
}

extension SubgraphMetadata {
  fileprivate init(_ json: JSON, at path: String) throws(JSONContentError) {
    let object = try JSONObject(
      json, at: path,
      members: [
        "name", "description", "inputs", "outputs", "files", "input_process_units",
        "output_process_units", "input_groups", "output_groups", "custom",
      ])
    self.init(
      name: try object.text("name"), description: try object.text("description"),
      inputs: try object.list("inputs", TensorMetadata.init),
      outputs: try object.list("outputs", TensorMetadata.init),
      associatedFiles: try object.list("files", AssociatedFile.init),
      inputProcessUnits: try object.list("input_process_units", ProcessUnit.init),
      outputProcessUnits: try object.list("output_process_units", ProcessUnit.init),
      inputGroups: try object.list("input_groups", TensorGroup.init),
      outputGroups: try object.list("output_groups", TensorGroup.init),
      customMetadata: try object.list("custom", CustomMetadata.init))
  }
}

extension TensorGroup {
  fileprivate init(_ json: JSON, at path: String) throws(JSONContentError) {
    let object = try JSONObject(json, at: path, members: ["name", "tensors"])
    self.init(name: try object.text("name"), tensorNames: try object.texts("tensors"))
  }
}

extension CustomMetadata {
  fileprivate init(_ json: JSON, at path: String) throws(JSONContentError) {
    let object = try JSONObject(json, at: path, members: ["name", "data"])
    let data = try object.integers("data", in: 0...255).map { UInt8(truncatingIfNeeded: $0) }
    self.init(name: try object.text("name"), data: data)
  }
}

extension AssociatedFile {
  /// The mention of a file that an object of a metadata document describes.
  init(_ json: JSON, at path: String) throws(JSONContentError) {
    let object = try JSONObject(
      json, at: path, members: ["name", "kind", "description", "locale", "version"])
    self.init(
      name: try object.text("name"), description: try object.text("description"),
      kind: try object.word("kind", Kind.allCases.map { ($0.word, $0) }, default: .unknown),
      locale: try object.text("locale"), version: try object.text("version"))
  }
}

extension TensorMetadata {
  fileprivate init(_ json: JSON, at path: String) throws(JSONContentError) {
    let object = try JSONObject(
      json, at: path,
      members: [
        "name", "description", "content", "properties", "range", "dimension_names",
        "process_units", "stats", "files",
      ])
    let properties = try object.object("properties", Content.Properties.init)
    let range = try object.object("range", ValueRange.init)
    self.init(
      name: try object.text("name"), description: try object.text("description"),
      dimensionNames: try object.texts("dimension_names"),
      content: properties == nil && range == nil
        ? nil : Content(properties: properties, range: range),
      processUnits: try object.list("process_units", ProcessUnit.init),
      stats: try object.object("stats", Stats.init),
      associatedFiles: try object.list("files", AssociatedFile.init))
  }
}

extension Stats {
  fileprivate init(_ json: JSON, at path: String) throws(JSONContentError) {
    let object = try JSONObject(json, at: path, members: ["min", "max"])
    self.init(maximum: try object.floats("max"), minimum: try object.floats("min"))
  }
}

extension ValueRange {
  fileprivate init(_ json: JSON, at path: String) throws(JSONContentError) {
    let object = try JSONObject(json, at: path, members: ["min", "max"])
    self.init(minimum: try object.integer("min"), maximum: try object.integer("max"))
  }
}

extension ImageSize {
  fileprivate init(_ json: JSON, at path: String) throws(JSONContentError) {
    let object = try JSONObject(json, at: path, members: ["width", "height"])
    self.init(width: try object.integer("width"), height: try object.integer("height"))
  }
}

extension Content.Properties {
  fileprivate init(_ json: JSON, at path: String) throws(JSONContentError) {
    func object(_ members: [String]) throws(JSONContentError) -> JSONObject {
      try JSONObject(json, at: path, members: ["kind"] + members)
    }
    switch json["kind"]?.string {
    case "feature":
      _ = try object([])
      self = .feature
    case "image":
      let object = try object(["color_space", "default_size"])
      let spaces = ImageProperties.ColorSpace.allCases.map { ("\($0)", $0) }
      self = .image(
        ImageProperties(
          colorSpace: try object.word("color_space", spaces, default: .unknown),
          defaultSize: try object.object("default_size", ImageSize.init)))
    case "bounding_box":
      let object = try object(["type", "coordinates", "index"])
      let types = BoundingBoxProperties.BoxType.allCases.map { ("\($0)", $0) }
      let coordinates = BoundingBoxProperties.CoordinateType.allCases.map { ("\($0)", $0) }
      self = .boundingBox(
        BoundingBoxProperties(
          index: try object.integers("index", in: 0...Int(UInt32.max)),
          type: try object.word("type", types, default: .unknown),
          coordinateType: try object.word("coordinates", coordinates, default: .ratio)))
    case "audio":
      let object = try object(["sample_rate", "channels"])
      self = .audio(
        AudioProperties(
          sampleRate: try object.integer("sample_rate"),
          channels: try object.integer("channels")))
    case "unknown": self = .unknown(try object(["number"]).integer("number"))
    case _:
      throw JSONContentError(
        reason: "one of feature, image, bounding_box, audio is wanted", path: "\(path).kind")
    }
  }
}
