#!/usr/bin/env bash
# Runs every fuzz target for a while: tools/fuzz.sh [TIME] [PACKAGE…]
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-20s}
shift || true
for package in $(go list "${@:-./...}"); do
  for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
    echo "$package $target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package" | tail -n 1
  done
done
