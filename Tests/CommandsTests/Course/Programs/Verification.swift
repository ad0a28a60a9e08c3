// SPDX-License-Identifier: Apache-2.0

import Foundation

extension CourseProgram {
  @Sendable static func mishTolerances(_ print: (String) -> Void) {
    func exact(_ x: Double) -> Double { x * tanh(log1p(exp(x))) }
    func careful(_ x: Float) -> Float { x * tanh(log1p(exp(x))) }
    func careless(_ x: Float) -> Float { x * tanh(log(1 + exp(x))) }

    let inputs: [Float] = [-20, -8, -4, -1, 0.5, 2, 8]
    let largest = inputs.map { abs(exact(Double($0))) }.max() ?? 0
    for (name, kernel) in [("log1p(exp(x))", careful), ("log(1 + exp(x))", careless)] {
      var absolute: [Float] = []  // beyond 2e-5 of the largest magnitude
      var relative: [Float] = []  // beyond 1e-5 of the value itself
      for x in inputs {
        let expected = exact(Double(x))
        let error = abs(Double(kernel(x)) - expected)
        if error > 2e-5 * largest { absolute.append(x) }
        if error > 1e-5 * abs(expected) { relative.append(x) }
      }
      print("\(name): beyond the absolute limit \(absolute), beyond the relative one \(relative)")
    }
  }
}
