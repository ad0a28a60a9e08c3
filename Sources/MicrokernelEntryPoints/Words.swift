// SPDX-License-Identifier: Apache-2.0

#if (!ONLY_X86_64 || arch(x86_64)) && (!ONLY_ARM64 || arch(arm64))
  internal import Microkernels

  /// A function of each of a run of 16-bit numbers.
  func wordFunction(_ task: WordFunctionTask, _ function: WordFunction) {
    switch function {
    case .logistic: unsafe wordLogistic(task)
    case .tanh(let integerBits): unsafe wordTanh(task, integerBits: integerBits)
    }
  }

  @inline(never)
  func wordLogistic(_ task: WordFunctionTask) { unsafe applyLogistic(task) }

  @inline(never)
  func wordTanh(_ task: WordFunctionTask, integerBits: Int32) {
    unsafe applyTanh(task, integerBits: integerBits)
  }

  /// A function by a table of each of a run of 16-bit numbers.
  func wordSigmoid(_ run: PlainRun, _ sigmoid: WordSigmoid) { unsafe applySigmoid(run, sigmoid) }

  /// A function by an interpolated table of each of a run of 16-bit numbers.
  func wordInterpolation(_ run: PlainRun, _ interpolation: WordInterpolation) {
    unsafe interpolateWords(run, interpolation)
  }

  /// A row of arithmetic on 16-bit quantized values.
  func scaledWords(_ row: PlainRow, _ operation: ScaledWords) {
    switch operation {
    case .sum(let terms, let factor, let limits): unsafe wordSums(row, terms, factor, limits)
    case .product(let factor, let limits): unsafe wordProducts(row, factor, limits)
    case .slopes(let slopes, let limits): unsafe wordSlopes(PlainRun(row), slopes, limits)
    }
  }

  @inline(never)
  func wordSums(
    _ row: PlainRow, _ terms: WordSumTerms, _ factor: WordFactor, _ limits: WordLimits
  ) {
    if factor.roundsTwice {
      unsafe sumWords(row, terms, factor, limits, twice: true)
    } else {
      unsafe sumWords(row, terms, factor, limits, twice: false)
    }
  }

  @inline(never)
  func wordProducts(_ row: PlainRow, _ factor: WordFactor, _ limits: WordLimits) {
    if factor.roundsTwice {
      unsafe multiplyWords(row, factor, limits, twice: true)
    } else {
      unsafe multiplyWords(row, factor, limits, twice: false)
    }
  }

  @inline(never)
  func wordSlopes(_ run: PlainRun, _ slopes: WordSlopes, _ limits: WordLimits) {
    if slopes.above.roundsTwice {
      unsafe scaleWords(run, slopes, limits, twice: true)
    } else {
      unsafe scaleWords(run, slopes, limits, twice: false)
    }
  }

  /// A run of an integer cell's gate.
  func cellGate(_ task: CellGateTask) { unsafe computeGate(task) }

  /// The next states of a run of integer cells.
  func cellStates(_ task: CellStateTask) { unsafe updateStates(task) }

  /// The results of a run of integer cells.
  func cellResults(_ task: CellResultTask) { unsafe computeResults(task) }
#endif
