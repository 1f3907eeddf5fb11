#!/usr/bin/env bash
# Prints a Go toolchain: `current` builds and tests, `oldest` is the oldest that has to compile the module.
case "$1" in
  current) echo go1.27.3 ;;
  oldest) echo go1.26.8 ;;
  *) echo "usage: $0 current|oldest" >&2; exit 2 ;;
esac
