#!/usr/bin/env bash
# Runs every fuzz target for a while: tools/fuzz.sh [TIME] [PACKAGE…]
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-20s}
shift || true
for package in $(go list "${@:-./...}"); do
  for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
    echo "$package $target"
    if ! output=$(go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package" 2>&1); then
      printf '%s\n' "$output"
      exit 1
    fi
    printf '%s\n' "$output" | tail -n 1
  done
done
