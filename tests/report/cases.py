"""Issues and texts that the tests of all formats use."""

from __future__ import annotations

from phyzctl.issues import Code, Edit, Fix, Issue, Related, Severity, Source
from phyzctl.report.report import Report, RuleText

LIMIT = Code("J201", "limit-inverted", Severity.ERROR)
NAME = Code("X003", "name-near-miss", Severity.WARNING)
ROUNDED = Code("J207", "limit-rounded-past-pi", Severity.INFO)

TEXT = """\
<robot name="r">
  <joint name="elbow" type="revolute">
\t<limit lower="1" upper="-1"/>
  </joint>
</robot>
"""

ELEMENT = "/robot/joint[@name='elbow']/limit"

LIMIT_ISSUE = Issue(
    LIMIT,
    Severity.ERROR,
    "lower limit 1 is above upper limit -1",
    Source("robots/arm.urdf", 3, 9, ELEMENT, 60, 18),
    "joint 'elbow'",
    Fix("swap the two", safe=False, edits=(Edit("robots/arm.urdf", 67, 68, "-1"),)),
)
NAME_ISSUE = Issue(
    NAME,
    Severity.WARNING,
    "<limt> is not known",
    Source("robots/arm.urdf", 2, 3),
    related=(Related("first used here", Source("robots/other.urdf", 7, 1)),),
)
FILE_ISSUE = Issue(ROUNDED, Severity.INFO, "no links", Source("robots/empty.urdf"))
PLACELESS = Issue(ROUNDED, Severity.INFO, "built in code", None, "link 'a'")

ALL = (LIMIT_ISSUE, NAME_ISSUE, FILE_ISSUE, PLACELESS)
FILES = ("robots/arm.urdf", "robots/empty.urdf", "robots/fine.urdf")

REPORT = Report(
    ALL,
    FILES,
    version="1.2.3",
    rules={"J201": RuleText(LIMIT, "Limits the wrong way round.", "Limits…\n\n**Fix**\n\nSwap.")},
    texts={"robots/arm.urdf": TEXT},
)
EMPTY = Report((), FILES, version="1.2.3")
