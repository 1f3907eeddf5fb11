#!/usr/bin/env bash
# Plans for the first question about the long conversation of testdata, through the module.
set -euo pipefail
cd "$(dirname "$0")/.."
talk=testdata/conversations/move.jsonl
question=$(sed -n '1s/.*"question": *"\([^"]*\)".*/\1/p' testdata/conversations/questions.jsonl)
exec bin/ctxplan plan --wasm build/ctxplan.wasm --messages "$talk" --ask "$question" --budget 1500 "$@"
