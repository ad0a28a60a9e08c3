// SPDX-License-Identifier: Apache-2.0

/// Why a regular expression cannot be used.
public struct RegularExpressionError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// The expression has more code points than allowed.
    case tooLong(limit: Int)
    /// The expression is made into more instructions than allowed.
    case tooLarge(limit: Int)
    /// A group is not closed.
    case missingParenthesis
    /// A group is closed that was not opened.
    case unexpectedParenthesis
    /// A class is not closed.
    case missingBracket
    /// A range of a class ends before it begins, or at a class.
    case badRange
    /// A class in brackets has an unknown name.
    case unknownClass(String)
    /// A property of Unicode is not supported: general categories and `Any` are.
    case unsupportedProperty(String)
    /// A backslash in front of what has no meaning then.
    case badEscape(String)
    /// The expression ends with a backslash.
    case trailingBackslash
    /// There is nothing to repeat.
    case nothingToRepeat
    /// A repetition of a repetition.
    case repeatedRepetition
    /// A repetition with more than 1000 rounds, or whose bounds are in the wrong order.
    case badRepetition
    /// A group of an unknown form: only names and the flags i, m, s and U are supported.
    case unsupportedGroup
    /// The name of a group has other characters than letters, digits and underscores, or none.
    case badGroupName
  }

  /// What is wrong.
  public let reason: Reason
  /// The position in the expression, in code points from 0.
  public let position: Int
}

extension RegularExpressionError: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    "the regular expression cannot be used: \(reason) at position \(position)"
  }
}

extension RegularExpressionError.Reason: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .tooLong(let limit): "more than \(limit) characters"
    case .tooLarge(let limit): "more than \(limit) instructions"
    case .missingParenthesis: "a group that is not closed"
    case .unexpectedParenthesis: "a closing parenthesis without an opening one"
    case .missingBracket: "a class that is not closed"
    case .badRange: "a range that cannot be"
    case .unknownClass(let name): "the unknown class \(name.debugDescription)"
    case .unsupportedProperty(let name): "the unsupported property \(name.debugDescription)"
    case .badEscape(let text): "the unknown escape \(text.debugDescription)"
    case .trailingBackslash: "a backslash with nothing behind it"
    case .nothingToRepeat: "a repetition of nothing"
    case .repeatedRepetition: "a repetition of a repetition"
    case .badRepetition: "a repetition whose bounds are wrong or over 1000"
    case .unsupportedGroup: "a group of an unsupported form"
    case .badGroupName: "a group with a name that cannot be"
    }
  }
}
