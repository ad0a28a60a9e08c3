// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Testing

@Suite struct FaceMeshRefinementTests {
  /// Point n lies at (n, −n), n deep.
  static let mesh = (0..<468).map { Landmark(x: Float($0), y: -Float($0), z: Float($0)) }

  /// Points at (1000, 1), (1001, 2) …, 7 deep.
  static func part(_ count: Int) -> [Landmark] {
    (0..<count).map { Landmark(x: 1000 + Float($0), y: 1 + Float($0), z: 7) }
  }

  static let parts = Dictionary(
    uniqueKeysWithValues: FaceMeshRefinement.allCases.map { ($0, part($0.points.count)) })

  @Test func `parts have the model's numbers of points, each once`() {
    #expect(FaceMeshRefinement.allCases.map(\.points.count) == [80, 71, 71, 5, 5])
    let points = FaceMeshRefinement.allCases.flatMap(\.points)
    #expect(Set(points).count == points.count)
    #expect(Set(points).isSubset(of: 0..<478))
    #expect(Set(points).isSuperset(of: 468..<478))
  }

  @Test(arguments: FaceMeshRefinement.allCases)
  func `a part replaces columns and rows`(part: FaceMeshRefinement) throws {
    let refined = try FaceMeshRefinement.applied(to: Self.mesh, Self.parts)
    #expect(refined.count == 478)
    for (number, point) in part.points.enumerated() {
      #expect(refined[point].x == 1000 + Float(number))
      #expect(refined[point].y == 1 + Float(number))
    }
  }

  @Test func `depths are the mesh's, and for irises the mean of the eyelids'`() throws {
    let refined = try FaceMeshRefinement.applied(to: Self.mesh, Self.parts)
    for index in 0..<468 { #expect(refined[index].z == Float(index)) }
    // The means of the 16 numbers of each eye's contour.
    for index in 468..<473 { #expect(refined[index].z == 143.8125) }
    for index in 473..<478 { #expect(refined[index].z == 371.75) }
  }

  @Test func `points of no part stay where they are`() throws {
    let refined = try FaceMeshRefinement.applied(to: Self.mesh, Self.parts)
    let moved = Set(FaceMeshRefinement.allCases.flatMap(\.points))
    for index in 0..<468 where !moved.contains(index) {
      #expect(refined[index] == Self.mesh[index])
    }
    #expect((0..<468).count { !moved.contains($0) } == 246)
  }

  @Test func `another number of points is refused`() {
    #expect(throws: LandmarkError.self) {
      try FaceMeshRefinement.applied(to: Array(Self.mesh.dropLast()), Self.parts)
    }
    for part in FaceMeshRefinement.allCases {
      var parts = Self.parts
      parts[part] = nil
      #expect(throws: LandmarkError.self) { try FaceMeshRefinement.applied(to: Self.mesh, parts) }
      parts[part] = Self.part(part.points.count + 1)
      #expect(throws: LandmarkError.self) { try FaceMeshRefinement.applied(to: Self.mesh, parts) }
    }
  }
}
