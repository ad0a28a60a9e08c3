# SPDX-License-Identifier: Apache-2.0
"""The parts of the race between Martlet and other interpreters."""
