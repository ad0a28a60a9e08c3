# SPDX-License-Identifier: Apache-2.0
"""Small networks of the architectures that people publish, in Keras, with random weights."""
