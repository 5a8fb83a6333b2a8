"""`python -m tests.soak --minutes 60 --seed 1`: look at random for what breaks phyzctl.

Exits 1 when anything was found. The log and the reproducers lie in the folder of --out.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from tests.soak.soak import Soak
from tests.soak.worker import Worker


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("soak-log"), metavar="FOLDER")
    parser.add_argument("--cases", type=int, help="Stop after so many.", metavar="N")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        worker = Worker(Path(scratch, "case"))
        soak = Soak(arguments.seed, arguments.out.absolute(), worker, _say)
        tally = soak.run(arguments.minutes * 60, most=arguments.cases)
    print(json.dumps(tally.to_json(), indent=2))
    sys.exit(1 if tally.findings else 0)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
