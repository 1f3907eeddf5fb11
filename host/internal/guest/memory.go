package guest

// heapMemory is a memory that grows by copying.
type heapMemory struct{ b []byte }

func (m *heapMemory) Reallocate(size uint64) []byte {
	if grow := int(size) - len(m.b); grow > 0 {
		m.b = append(m.b, make([]byte, grow)...)
	}
	return m.b[:size:size]
}

func (m *heapMemory) Free() { m.b = nil }
