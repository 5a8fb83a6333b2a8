#!/usr/bin/env bash
# Unpacks the real robots that tests read into .corpus/: tests/fetch_corpus.sh [s] [m] [l]
# A tier that is already complete is left alone. PYTHON names the interpreter whose pip is used.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
for tier in "${@:-s}"; do
  list="$root/tests/corpus_$tier.txt"
  target="$root/.corpus/$tier"
  if cmp -s "$list" "$target/corpus.txt"; then
    continue
  fi
  rm -rf "$target"
  "${PYTHON:-python3}" -m pip install -q --no-deps --target "$target" -r "$list"
  cp "$list" "$target/corpus.txt"
done
