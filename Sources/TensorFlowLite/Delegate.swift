// SPDX-License-Identifier: Apache-2.0

/// Something that another runtime would hand nodes to.
///
/// Martlet computes every node itself: delegates are accepted, kept in `Interpreter.delegates`, and
/// never asked. The C pointer of TensorFlowLiteSwift's protocol, `cDelegate`, does not exist here;
/// a type that has one still conforms.
public protocol Delegate: AnyObject {}
