#!/usr/bin/env bash
# Format, vet, compilation by the oldest toolchain, generated files, sizes of files.
set -euo pipefail
cd "$(dirname "$0")/.."
bad=0

unformatted=$(git ls-files --cached --others --exclude-standard -z -- '*.go' | xargs -0 ls -d 2>/dev/null | xargs gofmt -l)
if [ -n "$unformatted" ]; then
  echo "not formatted by gofmt:"; echo "$unformatted"; bad=1
fi

go vet ./... || bad=1
GOOS=wasip1 GOARCH=wasm go vet ./plugin/wasm ./plugin/extism || bad=1
go vet -C tools/extismfilter ./... || bad=1
GOTOOLCHAIN=$(tools/toolchain.sh oldest) go build ./... || bad=1
GOTOOLCHAIN=$(tools/toolchain.sh oldest) go build -C tools/extismfilter -o /dev/null . || bad=1

# Generated files are what their generators would write now.
go test -run 'AreFresh$' ./abi/internal/gen ./tools/unidata >/dev/null || { echo "generated files are stale: run make generate"; bad=1; }

# Generated tables may be long.
long=$(git ls-files --cached --others --exclude-standard -- '*.go' '*.js' '*.ts' '*.py' '*.rs' '*.java' '*.sh' |
  grep -v '_gen\.go$' | while read -r f; do
    if [ -f "$f" ] && [ "$(wc -l <"$f")" -gt 600 ]; then echo "$f"; fi
  done)
if [ -n "$long" ]; then
  echo "over 600 lines:"; echo "$long"; bad=1
fi
exit $bad
