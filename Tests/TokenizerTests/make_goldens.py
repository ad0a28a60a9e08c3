#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what the original tokenizers say about many texts.

pip install sentencepiece tokenizers google-re2
python3 make_goldens.py OUT --texts FOLDER [--count N] [--vocabulary FILE] [--model FILE]

Texts come from the .txt and .mo files below the folders; the rest is made at random. Without
--vocabulary and --model the script trains small ones. The checked-in goldens were made with --count
250 and the translations of Django and pycountry; a folder with more is read by the tests when
MARTLET_TOKENIZER_GOLDENS names it.
"""

import argparse
import gettext
import io
import pathlib
import random
import re2
import sentencepiece
import tokenizers
import unicodedata

# The two expressions of BertTokenizer (cc/text/tokenizers/bert_tokenizer.h).
CHINESE = (
    r"[\x{4E00}-\x{9FFF}]|[\x{3400}-\x{4DBF}]|[\x{20000}-\x{2A6DF}]|[\x{2A700}-\x{2B73F}]|"
    r"[\x{2B740}-\x{2B81F}]|[\x{2B820}-\x{2CEAF}]|[\x{F900}-\x{FAFF}]|[\x{2F800}-\x{2FA1F}]"
)
INCLUDED = r"([!-/]|[:-@]|[\[-`]|[{-~]|[\p{P}]|" + CHINESE + ")"
DELIMITER = r"(\s+|" + INCLUDED[1:]

# Delimiters of models with regular expressions: the first is that of the originals' test models.
DELIMITERS = [r"[^\w\']+", r"(?i)(und|and|[\s,.;:!?]+)", r"(?:\b\s+\b|\pP)+?", r"^.|[^\pL]+"]

EXTRA = [
    "", " ", "\t\n", "I'm question", "\x00\x01a\x7fb\u0085c\u200bd\ufeffe", "a" * 99, "a" * 100,
    "a" * 101, "é" * 50, "é" * 51, "中" * 40, "́", "ễ e\u0302\u0303 e\u0303\u0302",
    "İstanbul IĞDIR ıspanak ﬁ ﬀ Straße ẞ", "👩🏽‍🚀 👨‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 ☺️", "한국어 한글 각 힣",
    "हिन्दी ภาษาไทย العَرَبِيَّة עִבְרִית", "ｶﾀｶﾅ ﾊﾟ カタカナ ㍿ ① ½ ℡ Ⅷ", "x\u0301\u0323\u0315y\U0001d165\u302ez",
    "\U0001d15e\u0958\u0344\u1e9b\u0323", "##a ##s [UNK] [CLS] [SEP] <s> </s> <unk> <0x41> ▁▁ _",
    "don't ___ a-b c/d e.g. 3.14 $5 €7 ¿qué? «oui» „ja“ 「は」", "a\u00a0b\u3000c\u2028d\u1680e\u000bf\u000cg",
    "<user>x<user2><us", "\ufffd\ufffe\U0010ffff\ue000", "ὈΔΥΣΣΕΎΣ ς ΐ ΰ ᾳ", "ﷺ" * 20, "  lead  and   trail  ",
]


def corpus(folders):
    texts = []
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.suffix == ".txt":
                texts += path.read_text(errors="ignore").splitlines()
            elif path.suffix == ".mo":
                with open(path, "rb") as file:
                    catalog = gettext.GNUTranslations(file)._catalog
                texts += [line for value in catalog.values() if value for line in value.splitlines()]
    texts = sorted({text for text in texts if text.strip()})
    random.shuffle(texts)
    return texts


def is_agreed(character):
    """Whether the package tokenizers has this code point as other versions of Unicode do.

    Its tables are old, so newer punctuation, marks and controls are letters to it, and its range of
    Chinese characters begins at U+2B920 where the original BERT's begins at U+2B820.
    """
    category = unicodedata.category(character)
    if 0x2B820 <= ord(character) < 0x2B920 or category == "Cn":
        return False
    return category[0] not in "PMC" or unicodedata.ucd_3_2_0.category(character) != "Cn"


def random_text():
    """Code points of few blocks, with marks and spaces between them."""
    blocks = [(0x20, 0x7F), (0xA0, 0x250), (0x300, 0x370), (0x370, 0x530), (0x590, 0x700),
              (0x900, 0xE80), (0x1E00, 0x2000), (0x2000, 0x2400), (0x3000, 0x3200),
              (0x4E00, 0x4F00), (0xAC00, 0xAD00), (0xF900, 0xFB00), (0xFE00, 0x10000),
              (0x1F300, 0x1FA00), (0x2F800, 0x2FA20), (0x20000, 0x20100), (0, 0x20), (0, 0x30000)]
    chosen = random.sample(blocks, random.randint(1, 4))
    text = ""
    for _ in range(random.randint(1, 40)):
        value = random.randrange(*random.choice(chosen))
        if random.random() < 0.15:
            text += " "
        if not 0xD800 <= value < 0xE000 and is_agreed(chr(value)):
            text += chr(value)
    return text


def byte_offsets(text):
    offsets = [0]
    for character in text:
        offsets.append(offsets[-1] + len(character.encode()))
    return offsets


def delimited(text, delimiter, included=None):
    """RegexSplit and RegexTokenizer: words and their places, in characters."""
    words, base, rest = [], 0, text
    while match := delimiter.search(rest):
        if match.end() == 0:
            raise ValueError("an empty delimiter")
        if match.start() > 0:
            words.append((base, base + match.start()))
        if included and included.fullmatch(match.group()):
            words.append((base + match.start(), base + match.end()))
        base += match.end()
        rest = rest[match.end():]
    if rest:
        words.append((base, base + len(rest)))
    return words


class Writer:
    def __init__(self, folder, texts):
        self.folder, self.texts = folder, texts

    def tokens(self, name, function, are_bytes=False):
        """A line for each text: number, first byte and end of each token."""
        lines = []
        for text in self.texts:
            offsets = range(len(text.encode()) + 1) if are_bytes else byte_offsets(text)
            lines.append(" ".join(f"{i}:{offsets[a]}:{offsets[b]}" for i, a, b in function(text)))
        (self.folder / f"{name}.tokens").write_text("\n".join(lines) + "\n")

    def hex(self, name, values):
        (self.folder / name).write_text("\n".join(v.encode().hex() for v in values) + "\n")


def word_pieces(writer, path):
    vocabulary = {}
    for line in path.read_bytes().split(b"\n"):
        if line:
            vocabulary[line.decode()] = len(vocabulary)
    model = tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100)
    pieces = tokenizers.Tokenizer(model)
    delimiter, included = re2.compile(DELIMITER), re2.compile(INCLUDED)

    def task(text):
        for start, end in delimited(text, delimiter, included):
            word = text[start:end]
            if len(word.encode()) > 100:
                yield vocabulary["[UNK]"], start, end
                continue
            # A tokenizer without any splitting: the word as it is.
            for token in pieces.model.tokenize(word):
                yield token.id, start + len(word.encode()[:token.offsets[0]].decode()), \
                    start + len(word.encode()[:token.offsets[1]].decode())

    writer.tokens("task", task)
    for name, uncased in (("uncased", True), ("cased", False)):
        original = tokenizers.Tokenizer(model)
        original.normalizer = tokenizers.normalizers.BertNormalizer(
            strip_accents=uncased, lowercase=uncased)
        original.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()

        def bert(text):
            encoding = original.encode(text, add_special_tokens=False)
            return [(i, *offsets) for i, offsets in zip(encoding.ids, encoding.offsets)]

        writer.tokens(name, bert)


def sentence_pieces(writer, path):
    processor = sentencepiece.SentencePieceProcessor(model_file=str(path))
    decoded = []

    def encode(text):
        proto = processor.encode(text, return_type="proto")
        ids = [piece.id for piece in proto.pieces]
        decoded.append(processor.decode(ids))
        return [(piece.id, piece.begin, piece.end) for piece in proto.pieces]

    writer.tokens(path.stem, encode, are_bytes=True)
    writer.hex(f"{path.stem}.decoded", decoded)


def regular_expressions(writer, texts):
    words = {}
    for text in texts:
        for start, end in delimited(text, re2.compile(DELIMITERS[0])):
            word = text[start:end]
            if not set(word) & {" ", "\n"} and len(words) < 2000:
                words.setdefault(word, len(words) + 4)
    lines = ["<PAD> 0", "<START> 1", "<UNKNOWN> 2", "<UNUSED> 3"]
    lines += [f"{word} {i}" for word, i in words.items()]
    (writer.folder / "words.txt").write_bytes(("\n".join(lines) + "\n").encode())
    writer.hex("delimiters.hex", DELIMITERS)
    for index, pattern in enumerate(DELIMITERS):
        delimiter = re2.compile(pattern)
        writer.tokens(f"regex{index}", lambda text: [
            (words.get(text[a:b], 2), a, b) for a, b in delimited(text, delimiter)])


def train(folder, texts):
    corpus_text = [text for text in texts if "\x00" not in text]
    pieces = tokenizers.BertWordPieceTokenizer(lowercase=False, strip_accents=False)
    pieces.train_from_iterator(corpus_text, vocab_size=2000, limit_alphabet=600, show_progress=False)
    vocabulary = sorted(pieces.get_vocab().items(), key=lambda item: item[1])
    (folder / "vocabulary.txt").write_bytes(b"".join(k.encode() + b"\n" for k, _ in vocabulary))
    common = {"pad_id": 3, "num_threads": 1, "minloglevel": 2, "hard_vocab_limit": False,
              "character_coverage": 0.98}
    kinds = {
        "unigram": {"vocab_size": 2000, "user_defined_symbols": ["<user>", "<user2>"]},
        "unigrambytes": {"vocab_size": 1800, "byte_fallback": True,
                         "normalization_rule_name": "identity", "treat_whitespace_as_suffix": True},
        "pairs": {"model_type": "bpe", "vocab_size": 2000, "normalization_rule_name": "identity",
                  "user_defined_symbols": ["<user>", "▁▁", "é"], "remove_extra_whitespaces": False},
        "pairbytes": {"model_type": "bpe", "vocab_size": 1800, "byte_fallback": True,
                      "normalization_rule_name": "identity",
                      "add_dummy_prefix": False},
        "words": {"model_type": "word", "vocab_size": 800, "normalization_rule_name": "identity"},
        "characters": {"model_type": "char", "vocab_size": 1800, "user_defined_symbols": ["<user>"],
                       "normalization_rule_name": "identity"},
    }
    for name, options in kinds.items():
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(corpus_text), model_writer=model, **{**common, **options})
        (folder / f"{name}.model").write_bytes(model.getvalue())
        yield folder / f"{name}.model"


def random_expression(depth=0):
    atoms = ["a", "b", "c", "é", "K", "s", "ß", ".", r"\w", r"\W", r"\d", r"\s", r"\b", r"\B", "^", "$",
             "[a-c]", "[^a]", "[^é-я]", r"[\d_]", "[[:alpha:]]", "[[:^word:]]", r"\pL", r"\p{Lu}", r"\PN",
             r"[^\pL\s]", r"\x{e9}", r"\.", " ", "", "\n", r"\Qa.b\E", r"[\W_]", "中", r"\101"]
    kind = random.random()
    if depth > 3 or kind < 0.4:
        return random.choice(atoms)
    if kind < 0.6:
        return "".join(random_expression(depth + 1) for _ in range(random.randint(1, 3)))
    if kind < 0.72:
        return "(" + "|".join(random_expression(depth + 1) for _ in range(random.randint(1, 3))) + ")"
    if kind < 0.8:
        flags = random.choice(["?:", "?i:", "?s:", "?m:", "?U:", "?im:", "?i-s:", "?-i:", "?P<n>"])
        return "(" + flags + random_expression(depth + 1) + ")"
    if kind < 0.83:
        return random.choice(["(?i)", "(?s)", "(?m)", "(?U)"]) + random_expression(depth + 1)
    count = random.choice(["*", "+", "?", "{2}", "{1,2}", "{0,2}", "{2,}", "{,2}", "{0}", "{x", "*?", "+?", "??"])
    return random_expression(depth + 1) + count


def mangled(pattern):
    """A pattern with a character lost, doubled or replaced."""
    index = random.randrange(len(pattern) + 1)
    return pattern[:index] + random.choice(["", "(", ")", "[", "]", "\\", "*", "{", "-", "?", "^"]) \
        + pattern[index + random.randint(0, 1):]


def expressions(writer, count):
    """A line for each pattern and text: both, and where RE2 finds the first match."""
    options = re2.Options()
    options.log_errors = False
    lines = []
    alphabet = "aabbccéKksSſßÉ .\n_1中яЯ-Kab"
    while len(lines) < count:
        pattern = random_expression()
        if random.random() < 0.2:
            pattern = mangled(pattern)
        if not pattern or "\\C" in pattern:
            continue
        text = "".join(random.choice(alphabet) for _ in range(random.randint(0, 14)))
        try:
            match = re2.compile(pattern, options).search(text)
            offsets = byte_offsets(text)
            result = f"{offsets[match.start()]}:{offsets[match.end()]}" if match else "none"
            # RE2 also finds nothing in the midst of a code point, where there is no word boundary.
            if match and not match.group() and r"\B" in pattern:
                continue
        except re2.error:
            result = "error"
        lines.append(f"{pattern.encode().hex()} {text.encode().hex() or '-'} {result}")
    (writer.folder / "expressions.txt").write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--texts", action="append", default=[])
    parser.add_argument("--count", type=int, default=250)
    parser.add_argument("--vocabulary", type=pathlib.Path)
    parser.add_argument("--model", type=pathlib.Path, action="append", default=[])
    options = parser.parse_args()
    random.seed(7)
    options.out.mkdir(parents=True, exist_ok=True)
    found = corpus(options.texts)
    chosen = found[: options.count * 3 // 4]
    texts = EXTRA + chosen + [random_text() for _ in range(options.count - len(chosen) - len(EXTRA))]
    writer = Writer(options.out, texts)
    writer.hex("texts.hex", texts)
    models = list(train(options.out, found[:20000] + EXTRA))
    for source in options.model:
        models.append(options.out / source.name)
        models[-1].write_bytes(source.read_bytes())
    if options.vocabulary:
        (options.out / "vocabulary.txt").write_bytes(options.vocabulary.read_bytes())
    word_pieces(writer, options.out / "vocabulary.txt")
    for path in models:
        sentence_pieces(writer, path)
    regular_expressions(writer, chosen)
    expressions(writer, options.count * 4)


main()
