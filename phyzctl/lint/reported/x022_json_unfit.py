"""A value in a robot's JSON that has no place there.

What it checks
    Every object of a robot in JSON has the keys that `phyzctl schema robot` lists, the required
    ones among them, and every value is of its kind: a number, a string, one of the words, a list
    of so many items.

Why it matters
    The element is left out, since guessing what was meant would make another robot.

Fix
    Write what the schema asks for; the message names the path of the value, such as
    `$.links[2].inertial.mass`.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.JSON_UNFIT
REPORTED_BY = "reader"
