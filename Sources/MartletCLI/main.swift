// SPDX-License-Identifier: Apache-2.0

import Commands

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

exit(MartletCommand.run(Array(CommandLine.arguments.dropFirst()), console: SystemConsole()))
