// SPDX-License-Identifier: Apache-2.0

// Register tiles on the layers of known networks, per instruction-set level, beside the limit that
// bare multiply-adds and plain reading set on the same core. One thread; processor time.
//
//     swift run -c release KernelBenchmark [level [part of a layer's name]]

import Microkernels
import OptimizedKernels

let arguments = CommandLine.arguments.dropFirst()
let wanted = arguments.dropFirst().first ?? ""

func isWanted(_ name: String) -> Bool {
  name.indices.contains { name[$0...].hasPrefix(wanted) } || wanted.isEmpty
}

for set in MicrokernelSet.available
where arguments.isEmpty || arguments.first == set.level.rawValue {
  let report = Report(set)
  for layer in ProductLayer.all where isWanted(layer.name) {
    let benchmark = ProductBenchmark(layer: layer, set: set)
    report.row(layer.name, layer.work, float: benchmark.float(), byte: benchmark.byte())
  }
  for layer in DepthwiseLayer.all where isWanted(layer.name) {
    let benchmark = DepthwiseBenchmark(layer: layer, set: set)
    report.row(layer.name, layer.work, float: benchmark.float(), byte: benchmark.byte())
  }
}
