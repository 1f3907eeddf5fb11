package image

import (
	"encoding/binary"

	"github.com/ctxplan/ctxplan/plugin/vector"
)

// Block holds the vectors of a message.
type Block struct {
	// Model is the place of the model in the header, from 1.
	Model int64
	// Pieces in order; those that are missing or refused are empty. All others have the same dimension.
	Pieces []vector.Vector
}

// Split gives the parts of the vectors: their dimension, the scales, which are 0 for those that are missing and -1 for those
// that the model refused, and the components one after the other.
func Split(pieces []vector.Vector) (dimension int64, scales []int64, i8 []byte) {
	for _, p := range pieces {
		scales = append(scales, int64(p.Scale))
		dimension = max(dimension, int64(len(p.Q)))
		for _, q := range p.Q {
			i8 = append(i8, byte(q))
		}
	}
	return dimension, scales, i8
}

// Join is the inverse of Split. It reports false when the parts do not fit together.
func Join(dimension int64, scales []int64, i8 []byte) ([]vector.Vector, bool) {
	if len(scales) == 0 {
		return nil, dimension == 0 && len(i8) == 0
	}
	if dimension < 0 || dimension > int64(len(i8)) {
		return nil, false
	}
	pieces := make([]vector.Vector, len(scales))
	for i, scale := range scales {
		if scale == 0 || scale == int64(vector.Refused.Scale) {
			pieces[i].Scale = int32(scale)
			continue
		}
		if scale < 0 || scale > 1<<24 || dimension == 0 || int64(len(i8)) < dimension {
			return nil, false
		}
		q := make([]int8, dimension)
		for j := range q {
			q[j] = int8(i8[j])
		}
		pieces[i] = vector.Vector{Q: q, Scale: int32(scale)}
		i8 = i8[dimension:]
	}
	return pieces, len(i8) == 0
}

// AppendBlock writes vectors as the body of a frame: model, dimension and number of pieces as unsigned varints, the scales
// as varints, then the components.
func AppendBlock(dst []byte, b *Block) []byte {
	dimension, scales, i8 := Split(b.Pieces)
	dst = binary.AppendUvarint(dst, uint64(b.Model))
	dst = binary.AppendUvarint(dst, uint64(dimension))
	dst = binary.AppendUvarint(dst, uint64(len(scales)))
	for _, s := range scales {
		dst = binary.AppendVarint(dst, s)
	}
	return append(dst, i8...)
}

// ReadBlock reads what AppendBlock wrote. It reports false for anything else.
func ReadBlock(body []byte) (*Block, bool) {
	var head [3]uint64
	for i := range head {
		v, w := binary.Uvarint(body)
		if w <= 0 || v > 1<<31 {
			return nil, false
		}
		head[i], body = v, body[w:]
	}
	if head[2] > uint64(len(body)) {
		return nil, false
	}
	scales := make([]int64, head[2])
	for i := range scales {
		v, w := binary.Varint(body)
		if w <= 0 {
			return nil, false
		}
		scales[i], body = v, body[w:]
	}
	pieces, ok := Join(int64(head[1]), scales, body)
	return &Block{Model: int64(head[0]), Pieces: pieces}, ok
}
