#!/usr/bin/env bash
# Builds the modules a second time, from a copy of the sources in another folder and with an empty build cache, and
# compares the SHA-256 of both.
set -euo pipefail
cd "$(dirname "$0")/.."
copy=$(mktemp -d)
trap 'chmod -R u+w "$copy"; rm -rf "$copy"' EXIT
mkdir "$copy/another-place"
git ls-files -z --cached --others --exclude-standard -- '*.go' go.mod go.sum abi plugin tools |
  xargs -0 ls -d 2>/dev/null | tar -cf - -T - | tar -xf - -C "$copy/another-place"
tools/wasm.sh -q build
GOCACHE="$copy/cache" "$copy/another-place/tools/wasm.sh" -q "$copy/out"
for name in ctxplan.wasm ctxplan.scalar.wasm ctxplan.extism.wasm; do
  if ! cmp "build/$name" "$copy/out/$name"; then
    echo "$name: two builds differ" >&2
    exit 1
  fi
  echo "$name: $(grep '^sha256' "build/raw/$name.txt")"
done
