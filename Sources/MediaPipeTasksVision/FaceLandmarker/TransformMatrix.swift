// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Landmarks

/// A matrix of numbers.
public final class TransformMatrix: NSObject, @unchecked Sendable {
  /// The number of rows.
  public let rows: UInt
  /// The number of columns.
  public let columns: UInt
  private let values: [Float]
  private let memory: FixedMemory<Float>

  /// A matrix with a copy of numbers; without any where `rows` or `columns` is no count.
  ///
  /// - Parameters:
  ///   - data: the numbers, as many as the matrix has elements.
  ///   - rows: the number of rows.
  ///   - columns: the number of columns.
  public convenience init(data: UnsafePointer<Float>, rows: Int, columns: Int) {
    let (count, overflows) = rows.multipliedReportingOverflow(by: columns)
    let isMatrix = rows >= 0 && columns >= 0 && !overflows
    let numbers =
      isMatrix ? unsafe Array(UnsafeBufferPointer(start: data, count: count)) : []
    self.init(numbers, rows: isMatrix ? UInt(rows) : 0, columns: isMatrix ? UInt(columns) : 0)
  }

  /// The matrix of a transformation, column by column, as MediaPipe stores it.
  convenience init(_ transformation: SpatialTransformation) {
    self.init(
      (0..<4).flatMap { column in (0..<4).map { transformation.elements[4 * $0 + column] } },
      rows: 4, columns: 4)
  }

  private init(_ values: [Float], rows: UInt, columns: UInt) {
    (self.rows, self.columns) = (rows, columns)
    self.values = values
    memory = FixedMemory(values)
  }

  /// The numbers; those of faces lie column by column.
  ///
  /// The pointer is good as long as the matrix is.
  public var data: UnsafeMutablePointer<Float> {
    unsafe UnsafeMutablePointer(mutating: memory.pointer)
  }

  /// The number at `row * rows + column` of `data`, as in MediaPipe: of a face's matrix, that of row
  /// `column` and column `row`.
  ///
  /// - Precondition: the row and the column are in the matrix.
  public func value(atRow row: UInt, column: UInt) -> Float {
    precondition(row < rows, "Row is outside of matrix range.")
    precondition(column < columns, "Column is outside of matrix range.")
    let index = Int(row * rows + column)
    return values.indices.contains(index) ? values[index] : 0
  }
}
