"""A scene or scenario that is no TOML.

What it checks
    The file is UTF-8 and follows the grammar of TOML 1.0; no key is stated twice.

Why it matters
    Nothing behind the fault can be read, so nothing is.

Fix
    Mend the text at the place given. Strings want quotes, tables `[name]`, items of a list of
    tables `[[name]]`.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.TOML_MALFORMED
REPORTED_BY = "reader"
