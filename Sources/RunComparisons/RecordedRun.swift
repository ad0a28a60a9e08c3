// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
public import Martlet
internal import ModelFormat
public import Npy
internal import Tensors
public import Traces

/// The tensors of a run that others are compared with: Martlet's own, or another engine's.
public final class RecordedRun {
  /// The model that ran, and the subgraph that did; nil where only arrays are known.
  let origin: (model: Model, subgraph: Int)?
  private let file: NpzFile
  /// Arrays by tensor, for names as traces have them.
  private var byLocation: [TensorLocation: TraceName] = [:]
  /// Arrays by the tensor's name in one run of a subgraph; nil where several have it.
  private var byName: [NamedLocation: String?] = [:]

  private struct NamedLocation: Hashable {
    let subgraph: Int
    let invocation: Int
    let name: String
  }

  /// The run whose tensors `file` holds, called as `TraceName` says, or by the tensor's name, or by
  /// its index as `tensor_<index>` or the number alone.
  public convenience init(_ file: NpzFile) { self.init(file, origin: nil) }

  private init(_ file: NpzFile, origin: (Model, Int)?) {
    self.file = file
    self.origin = origin
    for text in file.names {
      guard let name = TraceName(parsing: text) else { continue }
      byLocation[name.location] = name
      let key = NamedLocation(
        subgraph: name.location.subgraph, invocation: name.location.invocation,
        name: name.tensorName)
      byName.updateValue(byName.keys.contains(key) ? nil : text, forKey: key)
    }
  }

  /// A run of the model of `interpreter` on its current inputs.
  ///
  /// All tensors are kept in a temporary file, which goes away with the result; memory holds one of
  /// them at a time.
  ///
  /// - Parameters:
  ///   - interpreter: what runs.
  ///   - invocationLimit: how many runs of each subgraph are kept: the first ones.
  /// - Throws: `TraceError` where the run fails or the file cannot be written.
  public convenience init(
    of interpreter: Interpreter,
    invocationLimit: Int = Interpreter.recordedInvocations
  ) throws(TraceError) {
    let temporary: TemporaryFile
    do throws(FileSystemError) { temporary = try TemporaryFile() } catch {
      throw .file(.file(error))
    }
    let writer = NpzWriter(isCompressed: false) { (bytes) throws(FileSystemError) in
      try temporary.append(bytes)
    }
    _ = try interpreter.trace(into: writer, invocationLimit: invocationLimit)
    let file: NpzFile
    do throws(NpzFileError) {
      try writer.finish()
      // The mapping keeps the content when the name goes, which must not be before.
      file = try withExtendedLifetime(temporary) { () throws(NpzFileError) in
        try NpzFile(mapping: temporary.path)
      }
    } catch {
      throw .file(error)
    }
    self.init(file, origin: (interpreter.model, interpreter.subgraphIndex))
  }

  /// Whether the run has any array with the name of a trace, so that there are inputs among them.
  public var isTrace: Bool { !byLocation.isEmpty }

  /// The value at a location of the model that ran.
  func value(at location: TensorLocation) throws(NpzFileError) -> TypedArray? {
    guard let origin, let name = byLocation[location], let array = try file.array(name.text) else {
      return nil
    }
    let declared = origin.model.file.subgraphs[location.subgraph].tensors[location.tensor].type
    return TypedArray(
      type: TensorType(declared.elementType, array.shape, quantization: declared.quantization),
      array: array)
  }

  /// The value of a tensor that another model has at `location`.
  ///
  /// An array of the type that stands for the tensor's has the tensor's scale and zero point;
  /// other numbers are taken as they are. Quantized values of another type mean nothing without
  /// their scale.
  func value(
    at location: TensorLocation, of tensor: ModelFile.Tensor, isMainGraph: Bool
  ) throws(NpzFileError) -> TypedArray? {
    guard let text = arrayName(location, tensor.name, isMainGraph: isMainGraph),
      let array = try file.array(text)
    else { return nil }
    let declared = tensor.type
    if case .string = array.elementType {
      return TypedArray(type: TensorType(.string, array.shape), array: array)
    }
    if NpyElementType(declared.elementType) == array.elementType {
      return TypedArray(
        type: TensorType(declared.elementType, array.shape, quantization: declared.quantization),
        array: array)
    }
    guard let elementType = array.elementType.tensorType,
      elementType.quantizedRange == nil || AffineScales(declared.with(shape: array.shape)) == nil
    else { return nil }
    return TypedArray(type: TensorType(elementType, array.shape), array: array)
  }

  private func arrayName(_ location: TensorLocation, _ name: String, isMainGraph: Bool) -> String? {
    if let known = byLocation[location], name.isEmpty || known.isName(of: name) {
      return known.text
    }
    let key = NamedLocation(
      subgraph: location.subgraph, invocation: location.invocation, name: name)
    if !name.isEmpty, let text = byName[key] ?? nil { return text }
    guard isMainGraph, location.invocation == 0 else { return nil }
    return [name, "tensor_\(location.tensor)", "\(location.tensor)"].first {
      !$0.isEmpty && file.contains($0)
    }
  }
}

extension NpyElementType {
  /// The type of a tensor that holds such elements as numbers; nil for strings.
  fileprivate var tensorType: ElementType? {
    switch self {
    case .bool: .bool
    case .int8: .int8
    case .uint8: .uint8
    case .int16: .int16
    case .uint16: .uint16
    case .int32: .int32
    case .uint32: .uint32
    case .int64: .int64
    case .uint64: .uint64
    case .float16: .float16
    case .float32: .float32
    case .float64: .float64
    case .complex64: .complex64
    case .complex128: .complex128
    case .string: nil
    }
  }
}
