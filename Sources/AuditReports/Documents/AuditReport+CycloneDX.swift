// SPDX-License-Identifier: Apache-2.0

package import JSONDocuments
internal import Martlet
internal import MetadataFormat
internal import ModelFormat
internal import ModelSummaries

extension AuditReport {
  /// The model as a component of a bill of materials, with its model card.
  ///
  /// CycloneDX 1.6, ECMA-424: a component of type `machine-learning-model`. The serial number is
  /// made from the file's digest, so that the same model has the same bill.
  package var cycloneDX: JSON {
    Self.billOfMaterials(of: component, digest: identity.digest, date: identity.date)
  }

  /// A bill of materials.
  ///
  /// - Parameters:
  ///   - component: what it is of.
  ///   - digest: SHA-256 of that, in hexadecimal digits.
  ///   - date: when it was made; nil leaves it out.
  /// - Returns: the document.
  static func billOfMaterials(of component: JSON, digest: String, date: String?) -> JSON {
    JSON.record([
      "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX",
      "specVersion": "1.6", "serialNumber": .string("urn:uuid:\(uuid(digest))"), "version": 1,
      "metadata": .record([
        "timestamp": date.map { .string($0) },
        "tools": [
          "components": .array([
            ["type": "application", "name": "martlet", "version": .string(Engine.version)]
          ])
        ],
        "component": component,
      ]),
    ])
  }

  /// A UUID of version 8, the vendor's own, from a digest.
  private static func uuid(_ digest: String) -> String {
    var digits = Array(digest.prefix(32))
    guard digits.count == 32 else { return "00000000-0000-8000-8000-000000000000" }
    digits[12] = "8"
    digits[16] = "8"
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
    return parts.joined(separator: "-")
  }

  /// The model as a component.
  var component: JSON {
    let name = metadata?.name.flatMap { $0.isEmpty ? nil : $0 } ?? identity.fileName
    return .record([
      "type": "machine-learning-model", "bom-ref": .string("model-\(identity.digest.prefix(16))"),
      "name": .string(name),
      "version": metadata?.version.flatMap { $0.isEmpty ? nil : .string($0) },
      "description": (metadata?.description).flatMap { $0.isEmpty ? nil : .string($0) },
      "authors": metadata?.author.flatMap {
        $0.isEmpty ? nil : .array([["name": .string($0)]])
      },
      "licenses": metadata?.license.flatMap {
        $0.isEmpty ? nil : .array([["license": ["name": .string(String($0.prefix(200)))]]])
      },
      "hashes": .array([["alg": "SHA-256", "content": .string(identity.digest)]]),
      "modelCard": modelCard,
      "properties": .array(
        properties.map { ["name": .string("martlet:\($0.name)"), "value": .string($0.value)] }),
    ])
  }

  private var modelCard: JSON {
    func formats(_ tensors: [GraphTensor]) -> JSON {
      .array(tensors.map { ["format": .string("\($0.name): \($0.typeText)")] })
    }
    return [
      "modelParameters": [
        "architectureFamily": "TensorFlow Lite graph",
        "modelArchitecture": .string(
          operators.map { "\($0.identity.name) × \($0.count)" }.joined(separator: ", ")),
        "inputs": formats(inputs), "outputs": formats(outputs),
      ]
    ]
  }

  private var properties: [(name: String, value: String)] {
    var properties = [
      (name: "file", value: identity.fileName), ("bytes", "\(identity.byteCount)"),
      ("schema-version", "\(identity.schemaVersion)"), ("nodes", "\(identity.nodeCount)"),
      ("weight-bytes", "\(weightByteCount)"), ("deterministic", "\(proof.isDeterministic)"),
    ]
    if let total = totalMultiplyAdds {
      properties.append(("multiply-accumulates", "\(total)"))
    }
    if let memory { properties.append(("arena-bytes", "\(memory.arenaByteCount)")) }
    return properties
  }
}
