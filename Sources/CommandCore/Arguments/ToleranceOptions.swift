// SPDX-License-Identifier: Apache-2.0

package import Npy

/// `--atol` and `--rtol`, which several commands share.
package enum ToleranceOptions {
  /// The options; `absolute` says what the first one means.
  package static func descriptions(_ absolute: String) -> [OptionDescription] {
    [
      .value("atol", "x", absolute),
      .value("rtol", "x", "The same, as a part of the expected number; both add up."),
    ]
  }

  /// What they ask for; nil where neither is given.
  package static func tolerance(_ arguments: ParsedArguments) throws(CommandError) -> Tolerance? {
    let (absolute, relative) = (try arguments.number("atol"), try arguments.number("rtol"))
    if absolute == nil, relative == nil { return nil }
    guard absolute ?? 0 >= 0, relative ?? 0 >= 0 else {
      throw arguments.usage("'--atol' and '--rtol' want numbers of 0 or more")
    }
    return .perElement(absolute: absolute ?? 0, relative: relative ?? 0)
  }
}
