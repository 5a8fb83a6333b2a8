"""What `phyzctl init` writes: settings, and jobs for what runs checks."""

from __future__ import annotations

import phyzctl

SETTINGS = """\
# Settings of phyzctl for the robots in this folder and below.
# What each rule checks: phyzctl rules, phyzctl explain CODE. What holds here: phyzctl config show

fail-on = "error" # the least severity that fails a job: error, warning, info or never

# ignore = ["J207"] # rules by code, prefix (J2) or name
# target = ["ros2", "mujoco"] # also report what these programs reject, ignore or change
# extend = "../phyzctl.toml" # settings to build on

# [severity]
# J203 = "error"

# [package-path]
# my_description = "src/my_description"

# [[override]]
# files = ["third_party/"]
# fail-on = "never"
"""

GITHUB = f"""\
name: robots
on:
  push:
  pull_request:

permissions:
  contents: read

jobs:
  phyzctl:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: python -m pip install "phyzctl[xacro]=={phyzctl.__version__}"
      - run: phyzctl validate --format github --output "markdown=$GITHUB_STEP_SUMMARY" .
"""

GITLAB = f"""\
phyzctl:
  image: python:3.12
  script:
    - python -m pip install "phyzctl[xacro]=={phyzctl.__version__}"
    - phyzctl validate --output gitlab=phyzctl.json --output junit=phyzctl.xml .
  artifacts:
    when: always
    reports:
      codequality: phyzctl.json
      junit: phyzctl.xml
"""

PRE_COMMIT = f"""\
repos:
  - repo: local
    hooks:
      - id: phyzctl
        name: phyzctl validate
        entry: phyzctl validate
        args: [.]
        language: python
        additional_dependencies: ["phyzctl[xacro]=={phyzctl.__version__}"]
        files: (?i)\\.(urdf|xacro|xml|mjcf|stl|obj|dae|msh)$
        pass_filenames: false
"""
