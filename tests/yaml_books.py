"""YAML as people write it: the same data with comments, quotes, brackets and blanks of any kind."""

import json

from hypothesis import strategies as st

WORDS = st.sampled_from(
    ["orders", "NO", "012", "1e3", "2024-01-01", "a b", "P ", "it's", 'x"y', "a: b", "# x", "é",
     "年", "- x", "[x]", "null", "true", "%", "@", "yes", "5", "-", "a,b", "{x}", "&a", "*b", "!t"]
)  # fmt: skip
TEXTS = WORDS | st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"]),
    max_size=12,
)
LEAVES = TEXTS | st.none() | st.booleans() | st.integers(-9, 99)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(WORDS | st.text("abcn", min_size=1), inner)
    ),
    max_leaves=6,
)
DATA = st.dictionaries(WORDS | st.text("xyz", min_size=1), VALUES, max_size=4)


class Writer:
    """Writes data in a style that is drawn anew for each entry; counts its comments."""

    def __init__(self, draw):
        self.draw, self.comments = draw, 0
        self.step = draw(st.integers(2, 4))

    def document(self, data):
        head = self._choice(["", "# head\n", "---\n", "\n"])
        text = head + ("".join(self.block(data, 0)) if data else "")
        text = text if self._choice([True, True, False]) else text.removesuffix("\n")
        return text.replace("\n", self._choice(["\n", "\n", "\r\n"]))

    def block(self, value, indent):
        pad = " " * indent
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            head = f"{self._key(key)}:" if isinstance(value, dict) else "-"
            yield from self._above(indent)
            yield from self._entry(pad + head, item, indent + self.step)

    def _entry(self, head, item, indent):
        if isinstance(item, dict | list) and item and self._choice([True, True, False]):
            yield head + self._behind() + "\n"
            yield from self.block(item, indent)
        elif isinstance(item, str) and "\n" in item:
            yield f"{head} {json.dumps(item)}\n"
        else:
            shown = self._flow(item)
            yield f"{head}{' ' * (1 if shown else 0)}{shown}{self._behind()}\n"

    def _flow(self, item):
        if isinstance(item, dict):
            pairs = [f"{self._quoted(k)}: {self._flow(v) or 'null'}" for k, v in item.items()]
            return "{" + self._choice(["", " "]) + ", ".join(pairs) + "}"
        if isinstance(item, list):
            return "[" + ", ".join(self._flow(i) or "~" for i in item) + self._choice(["]", " ]"])
        if item is None:
            return self._choice(["", "~", "null"])
        return self._quoted(item) if isinstance(item, str) else json.dumps(item)

    def _key(self, text):
        return text if text.isalpha() and text.isascii() else self._quoted(text)

    def _quoted(self, text):
        if "'" not in text and self._choice([True, False]):
            return f"'{text}'"
        return json.dumps(text, ensure_ascii=False)

    def _above(self, indent):
        if self._choice([False, False, True]):
            yield "\n"
        if self._choice([False, False, True]):
            yield f"{' ' * indent}{self._comment()}\n"

    def _behind(self):
        return f"  {self._comment()}" if self._choice([False, False, True]) else ""

    def _comment(self):
        self.comments += 1
        return f"# comment {self.comments}."

    def _choice(self, items):
        return self.draw(st.sampled_from(items))


@st.composite
def documents(draw):
    """Draw a text and the number of its comments."""
    writer = Writer(draw)
    return writer.document(draw(DATA)), writer.comments
