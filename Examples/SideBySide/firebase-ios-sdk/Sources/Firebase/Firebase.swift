// SPDX-License-Identifier: Apache-2.0

/// Says whose module this is.
public let owner = "stand-in"
