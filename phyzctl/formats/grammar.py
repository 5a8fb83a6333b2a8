"""The lexical checker: which elements and attributes a format knows, from `<format>/grammar.json`.

A table reads:

    {"roots": {"robot": "robot"},          root tag -> element type
     "versions": ["1.0"],                  values of the root's `version`, left out: not checked
     "unknown": "error",                   severity of names that aren't known (X003, X004),
                                           left out: that of the codes
     "everywhere": {"include": "*"},       children that every element can have
     "elements": {"link": {                element type -> what stands in it
        "attributes": {"name": "!"},       name -> words
        "children": {"inertial": "?"},     tag -> words
        "text": true,                      text may stand inside
        "open": true,                      anything else may stand inside: an extension, of
                                           which only slips of what is listed are reported
        "single": true}}}                  at most one child in all (shapes of a geometry)

Words of an attribute: `!` required; `since 1.1`; `deprecated`; `insert 0` (a fix may write 0
when it is missing); `error`, `warning` or `info`: severity when it is missing.
Words of a child: first `!` exactly one, `?` at most one, `*` any number, `+` at least one;
then the element type when it differs from the tag (`* transmission.joint`); then a severity
for when it is repeated or missing. The type `free` is not looked into at all.

Names with a prefix (`drake:joint`) belong to extensions and pass, except `xacro:`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from phyzctl import codes
from phyzctl.errors import PhyzctlError
from phyzctl.formats.grammarrules import (
    FREE,
    SEVERITIES,
    AttributeRule,
    ChildRule,
    ElementRule,
    attribute_rule,
    child_rules,
)
from phyzctl.formats.nearmiss import NearMisses
from phyzctl.formats.xmlnode import Document, Node
from phyzctl.issues import Fix, Issues, Related, Severity
from phyzctl.records import dataclass

__all__ = ["FREE", "AttributeRule", "ChildRule", "ElementRule", "Grammar"]

_SHOWN = 40
_MOST_UNKNOWN = 20  # attributes of one element that are reported one by one


def table_of(name: str) -> Mapping[str, Any]:
    """The table of a format: `urdf` or `mjcf`."""
    path = Path(__file__).parent / name / "grammar.json"  # importlib.resources starts slowly
    if not path.is_file():
        raise PhyzctlError(f"there is no grammar {name!r}; choose urdf or mjcf")
    table: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return table


class Grammar:
    """A format's table, and the check of a document against it."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.roots: Mapping[str, str] = table["roots"]
        self.versions: tuple[str, ...] = tuple(table.get("versions", ()))
        self.unknown: Severity | None = SEVERITIES.get(table.get("unknown", ""))
        self._elements: Mapping[str, Mapping[str, Any]] = table["elements"]
        self._everywhere = child_rules(table.get("everywhere", {}))
        self._rules: dict[str, ElementRule] = {}

    @classmethod
    def load(cls, name: str) -> Grammar:
        """The grammar of a format: `urdf` or `mjcf`."""
        return cls(table_of(name))

    @property
    def types(self) -> Iterable[str]:
        """The names of all element types."""
        return self._elements.keys()

    def rule(self, kind: str) -> ElementRule:
        """What stands in elements of a type; `KeyError` when the table doesn't have it."""
        if kind not in self._rules:
            entry = self._elements[kind]
            attributes = entry.get("attributes", {})
            self._rules[kind] = ElementRule(
                {name: attribute_rule(words) for name, words in attributes.items()},
                {**self._everywhere, **child_rules(entry.get("children", {}))},
                text=entry.get("text", False),
                open=entry.get("open", False),
                single=entry.get("single", False),
            )
        return self._rules[kind]

    def check(self, document: Document, issues: Issues, root: Node | None = None) -> None:
        """Report names, repetitions, omissions and stray text of a document, each mistake once.

        `root` is the tree to check when it isn't the document's own (after includes). A root
        that the table doesn't have is left to those who choose the format.
        """
        top = document.root if root is None else root
        if top is None or top.tag not in self.roots:
            return
        self._check_version(top, issues)
        check = _Check(self, issues)
        stack = [(top, self.roots[top.tag])]
        while stack:
            node, kind = stack.pop()
            stack.extend(reversed(check.element(node, self.rule(kind))))

    def _check_version(self, root: Node, issues: Issues) -> None:
        version = root.get("version")
        if not self.versions or version is None or version in self.versions:
            return
        issues.add(
            codes.VERSION_UNKNOWN,
            f"version {version[:40]!r} is unknown; it can be {', '.join(self.versions)}",
            source=root.attribute_source("version"),
        )


@dataclass(frozen=True)
class _Slip:
    """A name that is nearly a known one."""

    what: str
    meant: str
    rule: AttributeRule | ChildRule
    fix: Fix | None
    there: bool = False


class _Check:
    """One run over one document."""

    def __init__(self, grammar: Grammar, issues: Issues) -> None:
        self.grammar = grammar
        self.issues = issues
        self.near = NearMisses()
        self.xacro_reported = False

    def element(self, node: Node, rule: ElementRule) -> list[tuple[Node, str]]:
        """Check one element; returns the children to look into, with their types."""
        slips = self._attributes(node, rule)
        self._missing_attributes(node, rule, slips)
        known, slips = self._children(node, rule)
        self._counts(node, rule, slips)
        if node.text and not rule.text and not rule.open:
            shown = node.text.split("\n")[0][:40]
            message = f"text stands inside <{node.tag}>, where nothing reads it: {shown!r}"
            source = node.text_source()
            self.issues.add(codes.TEXT_STRAY, message, source=source, subject=node.subject)
        return known

    def _attributes(self, node: Node, rule: ElementRule) -> set[str]:
        """Unknown attributes; returns the known names that slips stand for."""
        slips = set()
        unknown = [
            name
            for name in node.attributes
            if name not in rule.attributes and not self._belongs_elsewhere(name, node)
        ]
        for name in unknown[:_MOST_UNKNOWN]:
            what = f"the attribute {name[:_SHOWN]!r} of <{node.tag[:_SHOWN]}>"
            meant = self.near.find(name, rule.attributes)
            if meant is None or meant in node.attributes:
                self._unknown(node, what, rule, name)
                continue
            slips.add(meant)
            span = node.name_span(name)
            edits = [] if span is None else [(*span, meant)]
            fix = node.document.fix(f"rename it to {meant}", *edits)
            self._slip(_Slip(what, meant, rule.attributes[meant], fix), node, name)
        if len(unknown) > _MOST_UNKNOWN:
            what = f"each of {len(unknown) - _MOST_UNKNOWN} further attributes of <{node.tag}>"
            self._unknown(node, what, rule)
        return slips

    def _missing_attributes(self, node: Node, rule: ElementRule, slips: set[str]) -> None:
        missing = {
            name: words
            for name, words in rule.needed_attributes.items()
            if name not in node.attributes and name not in slips
        }
        if not missing:
            return
        plural = "s" if len(missing) > 1 else ""
        names = ", ".join(repr(name) for name in missing)
        default = codes.REQUIRED_MISSING.severity
        degrees = [default if rule.severity is None else rule.severity for rule in missing.values()]
        self.issues.add(
            codes.REQUIRED_MISSING,
            f"<{node.tag}> lacks the attribute{plural} {names}",
            source=node.source,
            subject=node.subject,
            severity=max(degrees),
            fix=_insertion(node, missing),
        )

    def _children(self, node: Node, rule: ElementRule) -> tuple[list[tuple[Node, str]], set[str]]:
        """Unknown children; returns the known ones, and the tags that slips stand for."""
        known: list[tuple[Node, str]] = []
        slips = set()
        for child in node.children:
            found = rule.children.get(child.tag)
            if found is not None:
                if found.type != FREE:
                    known.append((child, found.type))
            elif not self._belongs_elsewhere(child.tag, child):
                meant = self.near.find(child.tag, rule.children)
                what = f"<{child.tag[:_SHOWN]}> in <{node.tag[:_SHOWN]}>"
                if meant is None:
                    self._unknown(child, what, rule)
                    continue
                slips.add(meant)
                edits = [(*span, meant) for span in child.tag_spans()]
                fix = child.document.fix(f"rename it to {meant}", *edits)
                there = node.find(meant) is not None
                self._slip(_Slip(what, meant, rule.children[meant], fix, there), child)
        return known, slips

    def _counts(self, node: Node, rule: ElementRule, slips: set[str]) -> None:
        counts: dict[str, int] = {}
        for child in node.children:
            if child.tag in rule.children:
                counts[child.tag] = counts.get(child.tag, 0) + 1
        if rule.single and len(counts) > 1:
            self._repeated([child for child in node.children if child.tag in counts], None)
            return
        for tag, needed in rule.needed_children.items():
            if tag not in counts and tag not in slips:
                self.issues.add(
                    codes.REQUIRED_MISSING,
                    f"<{node.tag}> lacks the element <{tag}>",
                    source=node.source,
                    subject=node.subject,
                    severity=needed.severity,
                )
        for tag, count in counts.items():
            if count > 1 and not rule.children[tag].repeatable:
                self._repeated(node.findall(tag), rule.children[tag].severity)

    def _repeated(self, nodes: list[Node], severity: Severity | None) -> None:
        first, second = nodes[:2]
        within = first.parent.tag if first.parent is not None else ""
        what = f"<{first.tag}>" if first.tag == second.tag else "element"
        self.issues.add(
            codes.ELEMENT_REPEATED,
            f"<{within}> has {len(nodes)} {what}{'s' * (what == 'element')}, expected one",
            source=second.source,
            subject=second.subject,
            severity=severity,
            related=(Related("the first one", first.source),),
        )

    def _belongs_elsewhere(self, name: str, node: Node) -> bool:
        """True for names with a prefix; a `xacro:` one is reported, once for the document."""
        prefix, colon, _ = name.partition(":")
        if prefix == "xacro" and colon and not self.xacro_reported:
            self.xacro_reported = True
            message = f"{name[:_SHOWN]!r} is xacro that was not expanded; run xacro first"
            source, subject = node.source, node.subject
            self.issues.add(codes.MACRO_UNEXPANDED, message, source=source, subject=subject)
        return bool(colon) or name == "xmlns"

    def _unknown(
        self, node: Node, what: str, rule: ElementRule, attribute: str | None = None
    ) -> None:
        if rule.open:
            return
        self.issues.add(
            codes.ELEMENT_UNKNOWN,
            f"{what} is not known",
            source=node.source if attribute is None else node.attribute_source(attribute),
            subject=node.subject,
            severity=self.grammar.unknown,
        )

    def _slip(self, slip: _Slip, node: Node, attribute: str | None = None) -> None:
        severity = self.grammar.unknown
        if slip.rule.required and not slip.there:  # what must be there is missing
            severity = Severity.ERROR if slip.rule.severity is None else slip.rule.severity
        self.issues.add(
            codes.NAME_NEAR_MISS,
            f"{slip.what} is not known; did you mean {slip.meant!r}?",
            source=node.source if attribute is None else node.attribute_source(attribute),
            subject=node.subject,
            severity=severity,
            fix=slip.fix,
        )


def _insertion(node: Node, missing: Mapping[str, AttributeRule]) -> Fix | None:
    """A fix that writes all missing attributes, when the table knows a value for each."""
    if any(words.insert is None for words in missing.values()):
        return None
    text = "".join(f' {name}="{words.insert}"' for name, words in missing.items())
    at = node.insertion_offset
    return node.document.fix(f"write{text}", (at, at, text))
