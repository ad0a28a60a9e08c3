// SPDX-License-Identifier: Apache-2.0

package import JSONDocuments
internal import Tensors

extension Explanation {
  /// The explanation for a program, complete: schema `martlet/explain/1`.
  package func json(model: String) -> JSON {
    JSON.record([
      "schema": "martlet/explain/1", "model": .string(model), "tensor": tensor.json,
      "element": element.json,
    ]).adding(origin.json).adding(["recomputation": recomputation?.json])
  }
}

extension Explanation.Origin {
  fileprivate var json: JSON {
    switch self {
    case .constant: ["origin": "constant"]
    case .input: ["origin": "input"]
    case .variable: ["origin": "variable"]
    case .node(let node): JSON.record(["origin": "node", "node": node.json])
    }
  }
}

extension ExplainedNode {
  fileprivate var json: JSON {
    .record([
      "index": .integer(index), "operator": .string(operatorName), "output": .integer(output),
      "kernel": kernel.map { .string($0) },
      "sources": .array(sources.map(\.json)),
      "inputs": .array(
        inputs.map { input in
          guard let input else { return .null }
          return input.tensor.json.adding(["constant": .bool(input.isConstant)])
        }),
      "terms": .array(terms.map(\.json)),
      "bias": bias?.json,
      "steps": .array(steps.map(\.json)),
      "remark": remark.map { .string($0) },
    ])
  }
}

extension ExplainedTensor {
  fileprivate var json: JSON {
    let affine = type.quantization?.perTensor
    return .record([
      "subgraph": .integer(subgraph), "tensor": .integer(index), "name": .string(name),
      "type": .string(type.elementType.schemaName),
      "shape": .array(type.shape.dimensions.map { .integer($0) }),
      "scale": affine.map { .float($0.scale) },
      "zero_point": affine.map { .integer(Int($0.zeroPoint)) },
    ])
  }
}

extension ExplainedElement {
  fileprivate var json: JSON {
    .record([
      "index": .array(index.map { .integer($0) }), "flat_index": .integer(flatIndex),
      "stored": stored.json, "real": real.map { .number($0) },
    ])
  }
}

extension ExplainedTerm {
  fileprivate var json: JSON {
    .record([
      "part": part.map { .string($0) }, "factors": .array(factors.map(\.json)),
      "value": value?.json,
    ])
  }
}

extension ExplainedTerm.Factor {
  fileprivate var json: JSON {
    JSON.record(source.json).adding(element.json).adding(["code": quantized.map { .integer($0) }])
  }
}

extension ExplainedTerm.Factor.Source {
  fileprivate var json: KeyValuePairs<String, JSON?> {
    switch self {
    case .input(let position): ["input": .integer(position)]
    case .output(let position): ["output": .integer(position)]
    case .computed(let name): ["computed": .string(name)]
    }
  }
}

extension ExplainedStep {
  fileprivate var json: JSON {
    .record([
      "part": part.map { .string($0) }, "name": .string(name), "text": .string(text),
      "value": value.json,
      "significand": multiplier.map { .integer(Int($0.significand)) },
      "exponent": multiplier.map { .integer(Int($0.exponent)) },
      "rounding": multiplier.map { .string($0.rounding.rawValue) },
    ])
  }
}

extension KernelSource {
  fileprivate var json: JSON {
    .record([
      "type": .string(type), "file": .string(file), "formula": formula.map { .string($0) },
    ])
  }
}

extension Recomputation {
  fileprivate var json: JSON {
    .record([
      "method": .string(method.rawValue), "value": value?.json, "equal": .bool(isEqual),
    ])
  }
}

extension StoredValue {
  fileprivate var json: JSON {
    switch self {
    case .integer(let value): .integer(value)
    case .unsigned(let value): .string("\(value)")
    case .float(let value): .float(value)
    case .double(let value): .number(value)
    case .complex(let real, let imaginary): .array([.number(real), .number(imaginary)])
    case .string(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    }
  }
}
