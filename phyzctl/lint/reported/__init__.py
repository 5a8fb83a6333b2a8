"""What readers, the builder, runs and others report: rules that only explain, one module each.

A module states `CODE` and `REPORTED_BY`, and in its docstring what the rules of
`phyzctl.lint.rules` say in theirs.
"""
