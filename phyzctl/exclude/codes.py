"""The codes of what a survey of pairs finds, for `exclude lint` and for the linter's rules."""

from __future__ import annotations

from phyzctl.issues import Code, Severity

PAIR_ALWAYS_TOUCHES = Code("C903", "pair-always-touches", Severity.INFO)
EXCLUDE_HIDES_COLLISION = Code("C904", "exclude-hides-collision", Severity.WARNING)
EXCLUDE_REASON_WRONG = Code("C905", "exclude-reason-wrong", Severity.WARNING)
