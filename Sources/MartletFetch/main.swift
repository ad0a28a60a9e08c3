// SPDX-License-Identifier: Apache-2.0

import FetchCommands

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

exit(FetchProgram.run(Array(CommandLine.arguments.dropFirst()), console: SystemConsole()))
