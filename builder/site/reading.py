"""What is read of a page: its text in parts by heading, its title, metadata, filters and sorts
(docs/site.md).
"""

from __future__ import annotations

from typing import Any

from pocketindex.builder.site.attributes import (
    RESERVED,
    WEIGHT_UNIT,
    Named,
    attributes_of,
    ignored,
    named,
    weight_of,
)
from pocketindex.builder.site.elements import (
    HEADINGS,
    HOLDERS,
    JOINED,
    KIND,
    LANDMARKS,
    LEFT_OUT,
    LONGEST_HEADING,
    SIGNATURE,
    STOPPED,
    VOID,
    Capture,
    Frame,
    Heading,
    Part,
    spaced,
)
from pocketindex.builder.site.markup import APART


class Reader:
    """Reads one page. whole: all of it is read, as where it has no data-pagefind-body."""

    def __init__(self, whole: bool) -> None:
        self.whole = whole
        self.found_body = False
        self.blocks: list[str] = []
        # By weight: blocks, or what they have of it, and their numbers.
        self.weighted: dict[int, tuple[list[str], list[int]]] = {}
        self.parts: list[Part] = []
        self.headings: list[str] = []
        self.title = self.title_in_landmark = self.title_element = ""
        self.meta: dict[str, str] = {}
        self.defaults: dict[str, str] = {}
        self.filters: dict[str, list[str]] = {}
        self.sorts: dict[str, str] = {}
        self.image: tuple[str, str] | None = None
        self.warnings: set[str] = set()
        self._stack: list[Frame] = []
        self._captures: list[Capture] = []
        self._ignoring: list[int] = []  # depths of elements that are left out
        self._fresh: list[Frame] = []  # what has an id, and no heading yet
        self._state = (0, whole, WEIGHT_UNIT, False)  # skip, in a body, weight, an own one
        self._block: list[tuple[int, str]] = []
        self._anchor = ""  # of an <a> right before
        self._in_heading = self._landmarks = 0
        self._behind_h1 = False

    def read(self, tokens: list[str]) -> None:
        """Read a page by its texts and tags (markup.py)."""
        stack = self._stack
        for text, tag in zip(tokens[::2], [*tokens[1::2], ""], strict=True):
            if text:
                self._blocks_of(text)
            if tag[:1] == "/":
                if tag[1:] not in JOINED:
                    self._part()
                self._end(stack.pop())
                continue
            name, _, attributes = tag.partition(" ")
            if name == "br":
                self._text(" ")
            elif name not in JOINED:
                self._part()
            if tag:
                says = "data-pagefind-" in attributes
                frame = self._begin(name, attributes_of(attributes) if attributes else {}, says)
                if name in VOID:
                    stack.pop()
                    self._end(frame)

    def _blocks_of(self, text: str) -> None:
        first, *blocks = text.split(APART)
        self._text(first)
        if blocks:
            self._part()
            *blocks, last = blocks
            if self._captures or self._state[2] > WEIGHT_UNIT:
                for own in blocks:
                    self._text(own)
                    self._part()
            elif blocks:
                self._whole(blocks)
            self._text(last)

    def _whole(self, texts: list[str]) -> None:
        """Take blocks of one weight that nothing else asks for."""
        skip, in_body, weight, _ = self._state
        self._see_text(skip)
        if not skip and in_body:
            own = [
                f"{text}." if text[-1].isalnum() or text[-1] in STOPPED else text for text in texts
            ]
            blocks, numbers = self.weighted.setdefault(weight, ([], []))
            blocks += own
            numbers += range(len(self.blocks), len(self.blocks) + len(own))
            self.blocks += own

    def _part(self) -> None:
        """Part what comes from what was there."""
        if self._block:
            self._flush()
        for capture in self._captures:
            capture.texts.append(" ")

    def _text(self, text: str) -> None:
        for capture in self._captures:
            if not self._ignoring or self._ignoring[-1] <= capture.depth:
                capture.texts.append(text)
        skip, in_body, weight, _ = self._state
        if not text or (not self._block and not self._captures and text.isspace()):
            return
        if not text.isspace():
            self._see_text(skip)
        if not skip and in_body:
            self._block.append((weight, text))

    def _see_text(self, skip: int) -> None:
        """Forget the ids that precede a text, because they do not belong to a later heading."""
        if (self._anchor or self._fresh) and not self._in_heading:
            self._anchor = ""
            if not skip:
                self._fresh = [frame for frame in self._fresh if frame.section]

    def _flush(self) -> None:
        """End the block that is there: it is apart from what follows, and ends as a sentence."""
        segments, self._block = self._block, []
        text = spaced(
            "".join([text for _, text in segments]) if len(segments) > 1 else segments[0][1]
        )
        if not text:
            return
        if text[-1].isalnum() or text[-1] in STOPPED:
            text += "."
        self.blocks.append(text)
        weights = {weight for weight, _ in segments}
        least = min(weights) if len(weights) > 1 else segments[0][0]
        if least > WEIGHT_UNIT and not self._in_heading and len(text) <= LONGEST_HEADING:
            self.headings.append(text)
        for weight in weights:
            own = text if len(weights) == 1 else " ".join(t for w, t in segments if w == weight)
            blocks, numbers = self.weighted.setdefault(weight, ([], []))
            blocks.append(own)
            numbers.append(len(self.blocks) - 1)

    def _begin(self, name: str, attributes: dict[str, str], says: bool) -> Frame:
        """Begin an element. says: whether it has an attribute data-pagefind-*."""
        frame = Frame(self._state)
        self._stack.append(frame)
        self._enter(name, attributes if says else {}, frame)
        skip, in_body, _, _ = self._state
        if skip == 2:
            return frame
        reading = not skip and in_body
        if says:
            self._name(attributes, frame)
            if reading and "data-pagefind-index-attrs" in attributes:
                self._take_attributes(attributes)
        if name == "img" and self._behind_h1 and self.image is None and "src" in attributes:
            self.image = (attributes["src"], spaced(attributes.get("alt", "")))
        self._look_at_id(name, attributes, frame, reading)
        if name == "title" and not self.title_element:
            frame.is_title = True
            self._capture(frame)
        return frame

    def _enter(self, name: str, attributes: dict[str, str], frame: Frame) -> None:
        """Take what an element changes for all in it: what is left out, and weights."""
        skip, in_body, weight, own = self._state
        said = attributes.get("data-pagefind-ignore")
        level = 1 if name in LEFT_OUT else 0
        if said is not None:
            level = max(level, ignored(said))
            if level == 3:
                level = 2
                self.warnings.add(f'data-pagefind-ignore="{said}" is none of index and all')
        if "data-pagefind-body" in attributes and skip < 2:
            self.found_body = True
            in_body, skip = True, 0
        elif level:
            skip = max(skip, level)
            self._ignoring.append(len(self._stack))
            frame.ignores = True
        if "data-pagefind-weight" in attributes:
            weight, own = weight_of(attributes["data-pagefind-weight"]), True
        elif name in HEADINGS and not own:
            weight = (8 - HEADINGS[name]) * WEIGHT_UNIT
        if name in LANDMARKS:
            frame.landmark = True
            self._landmarks += 1
        self._state = (skip, in_body, weight, own)

    def _name(self, attributes: dict[str, str], frame: Frame) -> None:
        """Take metadata, filters and sorts, whose values are known at the element's end."""
        for kind in ("meta", "default-meta", "filter", "sort"):
            written = attributes.get(f"data-pagefind-{kind}")
            for one in named(written) if written else ():
                value = one.value
                if one.attribute is not None:
                    value = attributes.get(one.attribute, "")
                if kind == "filter" and one.key in RESERVED:
                    self.warnings.add(f"{one.key!r} cannot be the key of a filter")
                    continue
                frame.sets = [*frame.sets, (kind, one, value)]
                if value is None and frame.capture is None:
                    self._capture(frame)

    def _capture(self, frame: Frame) -> None:
        if frame.capture is None:
            # What the element itself ignores is not ignored in its value.
            frame.capture = Capture(len(self._stack))
            self._captures.append(frame.capture)

    def _take_attributes(self, attributes: dict[str, str]) -> None:
        weight = self._state[2]
        for name in attributes["data-pagefind-index-attrs"].split(","):
            if value := attributes.get(name.strip()):
                self._part()
                self._block.append((weight, value))
                self._flush()

    def _look_at_id(
        self, name: str, attributes: dict[str, str], frame: Frame, reading: bool
    ) -> None:
        anchor = attributes.get("id", "")
        if name == "a":
            anchor = anchor or attributes.get("name", "")
            self._see_anchor(anchor)
        elif name in HEADINGS or (name == "dt" and "sig" in attributes.get("class", "").split()):
            level = HEADINGS.get(name, SIGNATURE)
            if not anchor and reading:
                anchor = self._anchor or self._held(level)
            if reading:
                for own in self._fresh:
                    own.anchor = ""
                self._fresh = []
            weighty = level == SIGNATURE or self._state[2] > WEIGHT_UNIT
            frame.heading = Heading(level, len(self.blocks), anchor, bool(self._landmarks), weighty)
            self._in_heading += 1
            self._capture(frame)
        elif anchor and reading and "data-pagefind-title" in attributes:
            title = spaced(attributes["data-pagefind-title"])
            self._part()
            self.parts.append(Part(anchor, title or anchor, 0, len(self.blocks)))
        elif anchor and reading and name in HOLDERS:
            frame.anchor, frame.section = anchor, name == "section"
            self._fresh.append(frame)

    def _see_anchor(self, anchor: str) -> None:
        """Take an id of an <a>: of the heading that it is in, or else of one right behind it."""
        heading = next((f.heading for f in reversed(self._stack) if f.heading), None)
        if heading and not heading.anchor:
            heading.anchor = anchor
        elif not heading and anchor:
            self._anchor = anchor

    def _held(self, level: int) -> str:
        """Return the id of what holds a heading as its first one; that of the page needs none."""
        return self._fresh[-1].anchor if self._fresh and level > 1 else ""

    def _end(self, frame: Frame) -> None:
        """End an element that means something."""
        reading = not self._state[0] and self._state[1]
        if frame.capture:
            self._captures.remove(frame.capture)
        if frame.ignores:
            self._ignoring.pop()
        if frame.landmark:
            self._landmarks -= 1
        if frame.anchor and frame in self._fresh:
            self._fresh.remove(frame)
        self._state = frame.before
        if frame.heading and frame.capture:
            self._end_heading(frame.heading, frame.capture.text(), reading)
        if frame.is_title and frame.capture:
            self.title_element = self.title_element or frame.capture.text()
        for kind, one, value in frame.sets:
            self._set(kind, one, value, frame.capture)

    def _end_heading(self, heading: Heading, text: str, reading: bool) -> None:
        self._in_heading -= 1
        self._anchor = ""
        if heading.level == 1 and text:
            self._behind_h1 = True
            if heading.landmark:
                self.title_in_landmark = self.title_in_landmark or text
            else:
                self.title = self.title or text
        if heading.level == SIGNATURE:
            text = text.partition("(")[0].strip() or text
        if reading and text:
            if heading.weighty:
                self.headings.append(KIND.sub("", text) if heading.level == SIGNATURE else text)
            if heading.anchor:
                self.parts.append(Part(heading.anchor, text, heading.level, heading.first))

    def _set(self, kind: str, one: Named, value: str | None, capture: Capture | None) -> None:
        text = spaced(value) if value is not None else capture.text() if capture else ""
        if not text and value is None:
            return  # an element without text sets nothing
        if kind == "meta":
            self.meta[one.key] = text
        elif kind == "default-meta":
            self.defaults[one.key] = text
        elif kind == "sort":
            self.sorts[one.key] = text
        elif text not in self.filters.setdefault(one.key, []):
            self.filters[one.key].append(text)

    def record(self, name: str) -> dict[str, Any]:
        """Return what was read. name: the title of a page that has none."""
        automatic = dict[str, str]()
        if self.image and "image" not in self.meta:
            automatic = {"image": self.image[0]}
            if self.image[1]:
                automatic["image_alt"] = self.image[1]
        title = self.title or self.title_in_landmark or self.title_element
        if title:
            automatic["title"] = title
        meta = {"title": name, **self.defaults, **automatic, **self.meta}
        return {
            "meta": meta,
            "named": bool(title or "title" in self.meta or "title" in self.defaults),
            "filters": self.filters,
            "sorts": self.sorts,
            "parts": self._texts(meta["title"]),
            "headings": self.headings,
            "weighted": [(weight, *own) for weight, own in sorted(self.weighted.items())],
            "warnings": sorted(self.warnings),
            "body": self.found_body,
        }

    def _texts(self, title: str) -> list[tuple[str, str, int, str]]:
        """Return id, title, level and text of each part; the first is the page itself."""
        parts = [Part("", title, 1, 0), *self.parts]
        ends = [*(part.start for part in parts[1:]), len(self.blocks)]
        made = [
            (part.id, part.title, part.level, "\n".join(self.blocks[part.start : end]))
            for part, end in zip(parts, ends, strict=True)
        ]
        return [part for i, part in enumerate(made) if part[3] or i == 0]


def page_of(tokens: list[str], name: str) -> dict[str, Any]:
    """Return what is read of a page. name: the title of a page that has none."""
    own = Reader(not any("data-pagefind-body" in tag for tag in tokens[1::2]))
    own.read(tokens)
    if not own.whole and not own.found_body:  # it stands where nothing is read
        own = Reader(True)
        own.read(tokens)
    return own.record(name)
