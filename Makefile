# `make help` lists the targets. All that is needed is Go and make; the toolchain is fetched by the go command.
SHELL := bash
export GOTOOLCHAIN := $(shell tools/toolchain.sh current)
export CTXPLAN_WASM := $(CURDIR)/build/ctxplan.wasm
export CTXPLAN_SCALAR_WASM := $(CURDIR)/build/ctxplan.scalar.wasm
export CTXPLAN_EXTISM_WASM := $(CURDIR)/build/ctxplan.extism.wasm

GUEST := host/internal/guest/module/ctxplan.wasm.gz

.DEFAULT_GOAL := help
.PHONY: help build wasm extism bin demo test test-fast soak bench generate check embed check-embedded check-reproducible conformance fuzz clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1\t\2/' | expand -t 20

build: wasm extism bin ## build bin/ctxplan and all modules

bin:
	@mkdir -p bin
	go build -trimpath -o bin/ctxplan ./host/cmd/ctxplan

wasm: ## build build/ctxplan.wasm (SIMD) and build/ctxplan.scalar.wasm
	tools/wasm.sh build ctxplan.wasm ctxplan.scalar.wasm

extism: ## build build/ctxplan.extism.wasm, for hosts with an Extism SDK
	tools/wasm.sh build ctxplan.extism.wasm

demo: build ## plan for a question about a long conversation, through the module
	tools/demo.sh

test: build ## run all Go tests and every other part whose tools are there
	tools/parts.sh

test-fast: wasm ## run the short Go tests, for daily use
	go test -short ./...

soak: wasm ## run the long soak tests (about half an hour)
	CTXPLAN_SOAK=long go test -count=1 -timeout 2h -run '^TestSoak' -v ./host/...

bench: wasm ## run all benchmarks
	go test -run '^$$' -bench . -benchmem ./...

generate: ## write generated files anew
	go generate ./...

check: ## vet, format, oldest toolchain, generated files, file sizes
	tools/check.sh

embed: wasm ## pack the module into package host
	go run ./tools/pack -o $(GUEST) build/ctxplan.wasm

check-embedded: wasm ## compare the module in package host with a fresh build
	go run ./tools/pack -check $(GUEST) build/ctxplan.wasm

check-reproducible: ## build the modules twice in different folders and compare
	tools/reproducible.sh

conformance: build ## run the conformance suite on every road
	tools/roads.sh

FUZZTIME ?= 20s
fuzz: ## run every fuzz target for FUZZTIME (20s)
	tools/fuzz.sh $(FUZZTIME)

clean: ## remove what was built
	rm -rf build bin
