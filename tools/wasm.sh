#!/usr/bin/env bash
# Builds the modules, or those that are named, into a folder: tools/wasm.sh [-q] [FOLDER [NAME…]]
# The bytes depend on the sources and the toolchain alone.
set -euo pipefail
cd "$(dirname "$0")/.."
quiet=
if [ "${1:-}" = -q ]; then quiet=1; shift; fi
out=${1:-build}
shift || true
mkdir -p "$out/raw"

# name | package | experiment | lists of the names that it imports and exports
modules() {
  cat <<'TABLE'
ctxplan.wasm        | wasm   | simd | abi/imports.txt abi/exports.txt
ctxplan.scalar.wasm | wasm   |      | abi/imports.txt abi/exports.txt
ctxplan.extism.wasm | extism |      | abi/extism-imports.txt abi/extism-exports.txt
TABLE
}

build() { # name, package, experiment, imports, exports
  env -u GOWASM GOFLAGS= CGO_ENABLED=0 GOEXPERIMENT="$3" GOOS=wasip1 GOARCH=wasm \
    go build -buildmode=c-shared -trimpath -buildvcs=false -ldflags "-s -w" -o "$out/raw/$1" "./plugin/$2"
  GOFLAGS= GOEXPERIMENT= go run ./tools/wasmlink -imports "$4" -exports "$5" \
    -pages "${CTXPLAN_PAGES:-16384}" -o "$out/$1" "$out/raw/$1" >"$out/raw/$1.txt"
  if [ -z "$quiet" ]; then cat "$out/raw/$1.txt"; fi
}

while IFS='|' read -r name package experiment lists <&3; do
  name=${name// /}
  if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
  # shellcheck disable=SC2086
  build "$name" "${package// /}" "${experiment// /}" $lists
done 3< <(modules)
