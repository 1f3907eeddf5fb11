#!/usr/bin/env bash
# The roads on which the engine has to give the same bytes, each a filter from requests to responses, and the run of the
# conformance suite over all of them: tools/roads.sh [list | NAME…]
set -euo pipefail
cd "$(dirname "$0")/.."
oldest=$(tools/toolchain.sh oldest)

# name | environment | build into bin/roads, if it needs a program of its own | command
roads() {
  cat <<TABLE
native             |                     |                                                                               | bin/ctxplan abi --engine native
native-oldest-go   |                     | GOTOOLCHAIN=$oldest go build -trimpath -o bin/roads/oldest ./host/cmd/ctxplan | bin/roads/oldest abi --engine native
native-amd64-v3    |                     | GOARCH=amd64 GOAMD64=v3 go build -trimpath -o bin/roads/v3 ./host/cmd/ctxplan | bin/roads/v3 abi --engine native
native-without-fma | GODEBUG=cpu.fma=off |                                                                               | bin/ctxplan abi --engine native
wasm               |                     |                                                                               | bin/ctxplan abi --wasm build/ctxplan.wasm
wasm-interpreter   |                     |                                                                               | bin/ctxplan abi --wasm build/ctxplan.wasm --interpreter
wasm-seed-1        |                     |                                                                               | bin/ctxplan abi --wasm build/ctxplan.wasm --seed 1 --clock 1
wasm-seed-2        |                     |                                                                               | bin/ctxplan abi --wasm build/ctxplan.wasm --seed 2 --clock 900000000
wasm-scalar        |                     |                                                                               | bin/ctxplan abi --wasm build/ctxplan.scalar.wasm
extism-go          |                     | go build -C tools/extismfilter -trimpath -o ../../bin/roads/extism-go .       | bin/roads/extism-go build/ctxplan.extism.wasm
TABLE
}

if [ "${1:-}" = list ]; then roads; exit; fi

# Programs for other processors can't run here, and that is not a fault.
runs_here() {
  case $1 in
    native-amd64-v3) [ "$(go env GOHOSTARCH)" = amd64 ] && { ! [ -e /proc/cpuinfo ] || grep -qw avx2 /proc/cpuinfo; } ;;
    native-without-fma) [ "$(go env GOHOSTARCH)" = amd64 ] ;;
  esac
}

mkdir -p bin/roads
go build -trimpath -o bin/roads/conform ./host/cmd/conform
bad=0
while IFS='|' read -r name environment build command <&3; do
  name=${name// /}
  if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
  if ! runs_here "$name"; then echo "road $name: not for this processor"; continue; fi
  if [ -n "${build// /}" ]; then bash -c "$build"; fi
  echo "road $name"
  # shellcheck disable=SC2086
  env $environment bin/roads/conform --road "$name" -- $command || bad=1
done 3< <(roads)
exit $bad
