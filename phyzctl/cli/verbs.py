"""The verbs in the order that `--help` lists them; each is made by `phyzctl.cli.<name>.app`."""

from __future__ import annotations

VERBS = {
    "validate": "Find what is wrong in robot descriptions, by file and line.",
    "explain": "Say what a rule checks, why it matters and how to fix it.",
    "rules": "List every rule.",
    "info": "Summarise a robot: counts, mass, degrees of freedom, features.",
    "tree": "Draw the tree of links and joints.",
    "convert": "Write a robot in another format, and say what is lost.",
    "diff": "Compare two robots, element by element.",
    "check": "Find where a robot touches itself or what stands around it.",
    "push": "Push a slider as a scenario says; write its trace and a picture.",
    "simulate": "Run a robot headless and write its trace.",
    "smoke": "Hold a robot for two seconds and tell what goes wrong.",
    "trace": "Look into traces, compare, convert, plot and verify them.",
    "exclude": "Suggest and judge the pairs of bodies that should never collide.",
    "schema": "Print the JSON Schema of a document that phyzctl knows.",
    "init": "Write settings, and jobs that run phyzctl, for a repository.",
    "doctor": "Say what is installed, and where a robot's files are.",
    "cache": "Say where results are kept between runs, or remove them.",
    "config": "Show the configuration that holds for a file or folder.",
}
