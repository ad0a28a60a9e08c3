// SPDX-License-Identifier: Apache-2.0

// Register tiles on the layers of known networks, per instruction-set level, beside the limit that
// a loop of bare multiply-adds reaches on the same core. One thread; processor time.
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
  let rounds = 1_000_000
  var sink: Float = 0
  let floatSeconds = bestSeconds { sink += set.peak.float(rounds) }
  let byteSeconds = bestSeconds { sink += Float(set.peak.byte(rounds)) }
  let floatPeak = Double(set.peak.floatOperations * rounds) / floatSeconds / 1e9
  let bytePeak = Double(set.peak.byteProducts * rounds) / byteSeconds / 1e9
  print("\(set): limits \(number(floatPeak, width: 1)) GFLOP/s in float,", terminator: " ")
  print("\(number(bytePeak, width: 1)) GMAC/s in bytes")
  print(padded("layer", to: 24), "float GFLOP/s      %        µs    byte GMAC/s      %        µs")

  func report(_ name: String, _ products: Double, _ float: Double, _ byte: Double) {
    let floatRate = 2 * products / float / 1e9
    let byteRate = products / byte / 1e9
    print(
      padded(name, to: 24), number(floatRate, width: 13),
      number(100 * floatRate / floatPeak, width: 6), number(float * 1e6, width: 9),
      number(byteRate, width: 14), number(100 * byteRate / bytePeak, width: 6),
      number(byte * 1e6, width: 9))
  }
  for layer in ProductLayer.all where isWanted(layer.name) {
    let benchmark = ProductBenchmark(layer: layer, set: set)
    report(layer.name, layer.products, benchmark.float(), benchmark.byte())
  }
  for layer in DepthwiseLayer.all where isWanted(layer.name) {
    let benchmark = DepthwiseBenchmark(layer: layer, set: set)
    report(layer.name, layer.products, benchmark.float(), benchmark.byte())
  }
}
