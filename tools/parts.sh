#!/usr/bin/env bash
# The parts of `make test`. Each runs when its tools are there. Without them a part is one line of output; with CI=true it
# is an error.
set -uo pipefail
cd "$(dirname "$0")/.."

# name | tools, files and folders that it needs | command
parts() {
  cat <<'TABLE'
check        | git                                         | tools/check.sh
go           |                                             | go test ./...
extism       |                                             | go test -C tools/extismfilter ./...
race         | gcc                                         | CGO_ENABLED=1 go test -race -short ./host/...
unicode      | /usr/share/unicode/UnicodeData.txt          | CTXPLAN_UCD=/usr/share/unicode go test -count=1 ./plugin/text/... ./tools/unidata
bench-once   |                                             | go test -short -run '^$' -bench . -benchtime 1x ./...
conformance  | host/cmd/conform                            | tools/roads.sh
soak-short   |                                             | CTXPLAN_SOAK=short go test -count=1 -run '^TestSoak' ./host/...
fuzz-short   |                                             | tools/fuzz.sh 3s
reproducible | git                                         | tools/reproducible.sh
embedded     | host/internal/guest/module/ctxplan.wasm.gz  | go run ./tools/pack -check host/internal/guest/module/ctxplan.wasm.gz build/ctxplan.wasm
TABLE
}

trim() { local s=$1; s=${s#"${s%%[![:space:]]*}"}; echo "${s%"${s##*[![:space:]]}"}"; }

lacking() { # prints the first thing that is not there
  local need
  for need in $1; do
    case $need in
      */*) [ -e "$need" ] ;;
      *) command -v "$need" >/dev/null ;;
    esac || { echo "$need"; return; }
  done
}

only=" $* "
failed=() skipped=()
while IFS='|' read -r name needs command <&3; do
  name=$(trim "$name")
  if [ "$only" != "  " ] && [[ "$only" != *" $name "* ]]; then continue; fi
  missing=$(lacking "$needs")
  if [ -n "$missing" ]; then
    if [ "${CI:-}" = true ]; then
      echo "part $name: $missing is missing" >&2
      failed+=("$name")
    else
      skipped+=("not run: $name ($missing is missing)")
    fi
    continue
  fi
  echo "== $name"
  if ! bash -c "$command"; then failed+=("$name"); fi
done 3< <(parts)

if [ ${#skipped[@]} -gt 0 ]; then printf '%s\n' "${skipped[@]}"; fi
if [ ${#failed[@]} -gt 0 ]; then
  echo "failed: ${failed[*]}" >&2
  exit 1
fi
