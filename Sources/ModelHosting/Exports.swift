// SPDX-License-Identifier: Apache-2.0

// Errors and files of a store, which publishing needs too, without Foundation.
@_exported public import ModelPublishing
