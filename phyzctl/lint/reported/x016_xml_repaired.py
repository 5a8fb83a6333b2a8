"""XML that is broken, but clear enough to be read on.

What it checks
    Common slips that lenient parsers let pass: blank lines before `<?xml`, a bare `&`, no blank
    between attributes, and the like. phyzctl mends them for itself and reads on.

Why it matters
    Strict parsers refuse the file.

Fix
    Mend the text. The offered fix makes exactly the change that phyzctl made to read on.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.XML_REPAIRED
REPORTED_BY = "reader"
