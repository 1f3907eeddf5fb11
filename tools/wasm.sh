#!/usr/bin/env bash
# Builds ctxplan.wasm and ctxplan.scalar.wasm into a folder: tools/wasm.sh [-q] [FOLDER]
# The bytes depend on the sources and the toolchain alone.
set -euo pipefail
cd "$(dirname "$0")/.."
quiet=
if [ "${1:-}" = -q ]; then quiet=1; shift; fi
out=${1:-build}
mkdir -p "$out/raw"

build() { # name, experiment
  env -u GOWASM GOFLAGS= CGO_ENABLED=0 GOEXPERIMENT="$2" GOOS=wasip1 GOARCH=wasm \
    go build -buildmode=c-shared -trimpath -buildvcs=false -ldflags "-s -w" -o "$out/raw/$1" ./plugin/wasm
  GOFLAGS= GOEXPERIMENT= go run ./tools/wasmlink -imports abi/imports.txt -exports abi/exports.txt \
    -pages "${CTXPLAN_PAGES:-16384}" -o "$out/$1" "$out/raw/$1" >"$out/raw/$1.txt"
  if [ -z "$quiet" ]; then cat "$out/raw/$1.txt"; fi
}

build ctxplan.wasm simd
build ctxplan.scalar.wasm ""
