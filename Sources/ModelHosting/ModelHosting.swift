// SPDX-License-Identifier: Apache-2.0

/// What a download cache and its hosts share.
package enum ModelHosting {}
