package main

import (
	"errors"
	"fmt"
	"sort"
)

const pageSize = 1 << 16

// parseMemory gives the initial size of the only memory, in pages.
func parseMemory(body []byte) (pages uint32, err error) {
	r := reader{b: body}
	if n := r.u32(); r.err == nil && n != 1 {
		return 0, fmt.Errorf("memory section: %d memories, want 1", n)
	}
	pages, _, _ = r.limits()
	if err := r.end(); err != nil {
		return 0, fmt.Errorf("memory section: %w", err)
	}
	return pages, nil
}

func encodeMemory(pages, maximum uint32) []byte {
	body := []byte{1, 1}
	body = appendU32(body, pages)
	return appendU32(body, maximum)
}

// segment is an active data segment with a constant offset.
type segment struct {
	offset uint32
	data   []byte
}

// parseData reads a data section, all of whose segments must be active in
// memory 0 with a constant offset and lie within size bytes.
func parseData(body []byte, size uint64) ([]segment, error) {
	r := reader{b: body}
	n := r.u32()
	if uint64(n) > uint64(len(body)) {
		return nil, fmt.Errorf("data section: %d segments in %d bytes", n, len(body))
	}
	segments := make([]segment, 0, n)
	for i := range n {
		if flag := r.u32(); r.err == nil && flag != 0 {
			return nil, fmt.Errorf("data segment %d: passive or of another memory", i)
		}
		// i32.const offset end
		if op := r.byte(); r.err == nil && op != 0x41 {
			return nil, fmt.Errorf("data segment %d: its offset is not constant", i)
		}
		offset := uint32(r.s32())
		if op := r.byte(); r.err == nil && op != 0x0b {
			return nil, fmt.Errorf("data segment %d: its offset is an expression", i)
		}
		data := r.bytes(r.u32())
		if r.err != nil {
			return nil, fmt.Errorf("data segment %d: %w", i, r.err)
		}
		if uint64(offset)+uint64(len(data)) > size {
			return nil, fmt.Errorf("data segment %d: lies beyond the initial memory", i)
		}
		segments = append(segments, segment{offset, data})
	}
	if err := r.end(); err != nil {
		return nil, fmt.Errorf("data section: %w", err)
	}
	return segments, nil
}

func encodeData(segments []segment) []byte {
	body := appendU32(nil, uint32(len(segments)))
	for _, s := range segments {
		body = append(body, 0, 0x41)
		body = appendS32(body, int32(s.offset))
		body = append(body, 0x0b)
		body = appendU32(body, uint32(len(s.data)))
		body = append(body, s.data...)
	}
	return body
}

// mergeSegments gives segments in ascending order that write the same image
// into a zeroed memory: gaps of at most gap bytes are filled with zeros, since
// that is what the memory holds there. Overlapping segments are an error: the
// later one would win, and no linker that we use writes them.
func mergeSegments(segments []segment, gap uint32) ([]segment, error) {
	sorted := make([]segment, 0, len(segments))
	for _, s := range segments {
		if len(s.data) > 0 {
			sorted = append(sorted, s)
		}
	}
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].offset < sorted[j].offset })
	var merged []segment
	for _, s := range sorted {
		if len(merged) > 0 {
			last := &merged[len(merged)-1]
			end := uint64(last.offset) + uint64(len(last.data))
			if uint64(s.offset) < end {
				return nil, errors.New("data segments overlap")
			}
			if hole := uint64(s.offset) - end; hole <= uint64(gap) {
				last.data = append(last.data, make([]byte, hole)...)
				last.data = append(last.data, s.data...)
				continue
			}
		}
		merged = append(merged, segment{s.offset, append([]byte(nil), s.data...)})
	}
	return merged, nil
}
