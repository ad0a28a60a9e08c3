// SPDX-License-Identifier: Apache-2.0

import FileAccess
import FlatBuffers
import Foundation
import ModelFormat
import Tensors
import TestSupport
import Testing

/// The schema as data.
@Suite struct SchemaTests {
  /// The members of both unions of options, with the types that decode them.
  static let options: [(table: SchemaTable, type: any OptionsTable.Type)] =
    SchemaUnion.builtinOptions.members.enumerated().compactMap { index, table in
      OptionsUnion.first(UInt8(index + 1)).map { (table, $0) }
    }
    + SchemaUnion.builtinOptions2.members.enumerated().compactMap { index, table in
      OptionsUnion.second(UInt8(index + 1)).map { (table, $0) }
    }

  @Test func `both unions have as many members as types decode, under the same names`() {
    #expect(SchemaUnion.builtinOptions.members.count == 126)
    #expect(OptionsUnion.first(127) == nil)
    #expect(SchemaUnion.builtinOptions2.members.count == 23)
    #expect(OptionsUnion.second(24) == nil)
    #expect(Self.options.count == 149)
    for (table, type) in Self.options { #expect("\(type)" == table.name) }
  }

  /// A value other than the schema's default, for a field of this kind.
  static func value(_ kind: SchemaKind) -> FlatField? {
    switch kind {
    case .scalar(.float32): .float(2.5)
    case .scalar(let scalar), .index(_, let scalar):
      .scalar(1, byteCount: scalar.byteCount)
    case .string: .string("x")
    case .vector(let scalar, let alignment):
      .vector(
        [1] + [UInt8](repeating: 0, count: scalar.byteCount - 1), stride: scalar.byteCount,
        alignment: alignment)
    case .indices: .ints([Int32(1)])
    case .customOptions, .contents: .bytes([1])
    case .table, .tables, .member, .union: nil
    }
  }

  /// The properties of decoded options, as text.
  static func properties(
    _ fields: [Int: FlatField], _ type: any OptionsTable.Type
  ) throws -> [String] {
    let bytes = FlatTable(fields).serialized(identifier: "TEST")
    let options = try type.init(try Table(root: bytes.span))
    return Mirror(reflecting: options).children.map { "\($0.value)" }
  }

  @Test func `each field of an options table is one property, of the kind described`() throws {
    for (table, type) in Self.options {
      let defaults = try Self.properties([:], type)
      var changed: Set<Int> = []
      for (slot, field) in table.fields.enumerated() {
        // Deprecated, and not decoded.
        if table.name == "ResizeBilinearOptions", slot < 2 { continue }
        // The only format of custom options is the default.
        if field.name == "composite_attributes_format" { continue }
        var differing: [Int] = []
        for number in [UInt64(0), 1] where differing.isEmpty {
          // Some defaults are 1.
          let value: FlatField
          switch field.kind {
          case .scalar(.float32): value = .float(2.5)
          case .scalar(let scalar), .index(_, let scalar):
            value = .scalar(number, byteCount: scalar.byteCount)
          case _: value = try #require(Self.value(field.kind))
          }
          let properties = try Self.properties([slot: value], type)
          differing = properties.indices.filter { properties[$0] != defaults[$0] }
        }
        #expect(differing.count == 1, "\(table.name).\(field.name)")
        changed.formUnion(differing)
      }
      let left = table.name == "StableHLOCompositeOptions" ? 1 : 0
      #expect(changed.count == defaults.count - left, "\(table.name)")
    }
  }

  @Test func `options that are written are read again as they were`() throws {
    for (table, type) in Self.options {
      var fields: [Int: FlatField] = [:]
      for (slot, field) in table.fields.enumerated()
      where field.name != "composite_attributes_format" {
        fields[slot] = Self.value(field.kind)
      }
      let bytes = FlatTable(fields).serialized(identifier: "TEST")
      let options = try type.init(try Table(root: bytes.span))
      let again = try Self.properties(options.table.fields, type)
      #expect(again == Mirror(reflecting: options).children.map { "\($0.value)" }, "\(table.name)")
    }
  }

  @Test func `names of enumerations are as many as their cases`() {
    func names(_ table: String, _ field: String) -> [String] {
      let found = Self.options.first { $0.table.name == table }?.table.fields
        .first { $0.name == field }
      guard case .scalar(.name(let enumeration))? = found?.kind else { return [] }
      return enumeration.names
    }
    #expect(names("Conv2DOptions", "padding") == Padding.allCases.map { "\($0)".uppercased() })
    #expect(
      names("Conv2DOptions", "fused_activation_function").count == FusedActivation.allCases.count)
    #expect(
      names("LSTMOptions", "kernel_type") == LSTMKernelType.allCases.map { "\($0)".uppercased() })
    #expect(
      names("MirrorPadOptions", "mode") == MirrorPadMode.allCases.map { "\($0)".uppercased() })
    #expect(
      names("CastOptions", "in_data_type").prefix(21) == ElementType.allCases.map(\.schemaName)[...]
    )
    #expect(
      names("ReduceWindowOptions", "reduce_function").count == ReduceWindowFunction.allCases.count)
    #expect(
      names("StablehloCompareOptions", "comparison_direction").count
        == StablehloComparisonDirection.allCases.count)
  }

  /// Every model file of the repository and, where there are any, of the shared ones.
  static let files: [String] = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let shared: [String] = [SharedModels.folder?.path].compactMap(\.self)
    let folders: [String] = [root.appendingPathComponent("Models").path] + shared
    let models = folders.flatMap { (folder: String) -> [String] in
      let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
      return (names ?? []).filter { $0.hasSuffix(".tflite") && !$0.contains("invalid/") }
        .map { "\(folder)/\($0)" }
    }
    let goldens = Goldens.operators.flatMap { name -> [String] in
      ((try? Goldens.cases(of: name)) ?? []).map { Goldens.path("\(name)/\($0)/model.tflite") }
    }
    return models.sorted() + goldens
  }()

  @Test func `no table of any model has a field that is not described`() throws {
    #expect(Self.files.count > 300)
    for file in Self.files {
      let bytes = try InputFile.bytes(at: file)
      let tree = try ModelTree(of: bytes.span)
      #expect(!tree.isCut)
      #expect(Self.problems(tree.root) == [], "\(file)")
      #expect(tree.usage.byteCounts.values.reduce(0, +) == bytes.count, "\(file)")
      #expect(tree.root.totalByteCount <= bytes.count, "\(file)")
    }
  }

  /// What is unknown or broken in a part.
  static func problems(_ part: ModelTree.Part) -> [String] {
    switch part.value {
    case .unknown: ["\(part.type) slot \(part.position) is unknown"]
    case .broken(let error): ["\(part.type): \(error)"]
    case .parts, .number, .numbers, .text, .bytes, .shared: part.children.flatMap(problems)
    }
  }
}
