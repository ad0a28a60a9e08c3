# SPDX-License-Identifier: Apache-2.0
"""The declarations of a schema in the notation of FlatBuffers."""

import re

# Types of the notation: the case of SchemaScalar, the type in Swift, the bytes, the default there.
SCALARS = {
    "bool": ("bool", "Bool", 1, "false"), "byte": ("int8", "Int8", 1, "0"),
    "ubyte": ("uint8", "UInt8", 1, "0"), "ushort": ("uint16", "UInt16", 2, "0"),
    "int": ("int32", "Int32", 4, "0"), "uint": ("uint32", "UInt32", 4, "0"),
    "long": ("int64", "Int64", 8, "0"), "ulong": ("uint64", "UInt64", 8, "0"),
    "float": ("float32", "Float", 4, "0"), "int32": ("int32", "Int32", 4, "0"),
    "uint32": ("uint32", "UInt32", 4, "0"),
}


class Problem(Exception):
    """What is wrong with the schema's text."""


class Declaration:
    """An enumeration, table or union, or a value, field or member of one."""

    def __init__(self, kind, name, file=None):
        self.kind, self.name, self.file, self.slot = kind, name, file, None
        self.type, self.default, self.doc = None, None, None
        self.attributes, self.members = {}, []

    def attribute(self, name):
        return self.attributes.get(name)


def camel(name):
    """`STRIDE_W` and `stride_w` as `strideW`; parts such as `2D` stay in capitals."""
    first, *others = name.lower().split("_")
    return first + "".join(x.upper() if x[0].isdigit() else x.capitalize() for x in others)


class Parser:
    """Reads the part of the notation that the schema uses."""

    def __init__(self, text):
        pattern = r'(///?[^\n]*)|("[^"]*"|-?[\w.]+|[{}()\[\]:;,=])|(\n)|[ \t]+|(.)'
        self.tokens, line = [], 1
        for comment, token, newline, other in re.findall(pattern, text):
            if other:
                raise Problem(f"line {line}: unexpected '{other}'")
            if comment or token:
                self.tokens.append((comment or token, line))
            line += bool(newline)
        self.index, self.file, self.above = 0, None, None
        self.last = None
        self.declarations, self.attributes = [], {"deprecated", "force_align"}

    def peek(self):
        """The next token; comments on the way document what they stand behind, or above."""
        while self.index < len(self.tokens) and self.tokens[self.index][0].startswith("//"):
            comment, line = self.tokens[self.index]
            behind = self.index > 0 and self.tokens[self.index - 1][1] == line
            if comment.startswith("// File: "):
                self.file = comment[9:]
            elif comment.startswith("///"):
                self.above = comment[3:].strip()
            elif behind and self.last:
                self.last.doc = comment[2:].strip()
            self.index += 1
        return self.tokens[self.index][0] if self.index < len(self.tokens) else ""

    def next(self, expected=None):
        token = self.peek()
        if not token or (expected and token != expected):
            line = self.tokens[min(self.index, len(self.tokens) - 1)][1]
            raise Problem(f"line {line}: '{token}' instead of {expected or 'more'}")
        self.index += 1
        return token

    def skip(self, token):
        found = self.peek() == token
        self.index += found
        return found

    def schema(self):
        while self.peek():
            word = self.next()
            if word == "attribute":
                self.attributes.add(self.next().strip('"'))
                self.last = None
                self.next(";")
            elif word in ("file_identifier", "root_type"):
                self.next()
                self.next(";")
            elif word in ("enum", "table", "union"):
                self.declaration(word)
            else:
                raise Problem(f"unexpected '{word}'")
        return self.declarations

    def declaration(self, kind):
        self.last = whole = Declaration(kind, self.next(), self.file)
        whole.doc, self.above = self.above, None
        if not self.file:
            raise Problem(f"{whole.name} has no file")
        self.declarations.append(whole)
        if kind == "enum":
            self.next(":")
            whole.type = self.next()
        self.read_attributes(whole)
        self.next("{")
        while not self.skip("}"):
            self.last = member = Declaration(kind, self.next())
            whole.members.append(member)
            if kind == "table":
                self.field(member)
                continue
            self.read_attributes(member)
            if not self.skip(",") and self.peek() != "}":
                self.next(",")
        # What stands behind the brace is about the whole.
        self.last = whole
        self.peek()

    def field(self, field):
        field.doc, self.above = self.above, None
        self.next(":")
        field.type = self.next()
        if field.type == "[":
            field.type = f"[{self.next()}]"
            self.next("]")
        if self.skip("="):
            field.default = self.next()
        self.read_attributes(field)
        self.next(";")

    def read_attributes(self, declaration):
        if not self.skip("("):
            return
        while not self.skip(")"):
            name = self.next()
            if name not in self.attributes:
                raise Problem(f"unknown attribute '{name}' of {declaration.name}")
            value = self.next().strip('"') if self.skip(":") else True
            declaration.attributes[name] = value
            self.skip(",")


class Schema:
    """The declarations by name, with slots and what fields take from those above."""

    def __init__(self, text):
        self.declarations = Parser(text).schema()
        self.by_name = {d.name: d for d in self.declarations}
        if len(self.by_name) < len(self.declarations):
            raise Problem("two declarations have the same name")
        self.options = {
            m.name for u in self.declarations if u.kind == "union" and u.attribute("options")
            for m in u.members
        }
        above = {}
        for table in self.of_kind("table"):
            self.resolve(table, above)

    def of_kind(self, kind):
        return [d for d in self.declarations if d.kind == kind]

    def resolve(self, table, above):
        slot = 0
        for field in table.members:
            element = field.type.strip("[]")
            if element != "string" and element not in SCALARS and element not in self.by_name:
                raise Problem(f"{table.name}.{field.name}: there is no type {field.type}")
            # A union takes the slot before its own, for which member it is.
            slot += self.kind_of(field.type) == "union"
            field.slot = slot
            slot += 1
            if table.name in self.options and not field.attribute("deprecated"):
                doc, swift = above.get((field.name, field.type), (None, camel(field.name)))
                field.doc = field.doc or doc
                field.attributes.setdefault("swift", swift)
                if not field.doc:
                    raise Problem(f"{table.name}.{field.name} has no documentation")
                above[field.name, field.type] = (field.doc, field.attribute("swift"))

    def kind_of(self, type):
        return self.by_name[type].kind if type in self.by_name else None

    def swift(self, name):
        """The name in Swift of an enumeration or table."""
        return self.by_name[name].attribute("swift") or name

    def table_name(self, name):
        return self.by_name[name].attribute("swift") or name[0].lower() + name[1:]
