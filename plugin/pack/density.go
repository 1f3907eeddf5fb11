package pack

import (
	"math"
	"slices"
)

// Offer is something that may be taken: its value by the ranking, and its price in tokens.
type Offer struct {
	// Value is not negative; its unit is free.
	Value int64
	// Price in tokens.
	Price int64
	// Index names the thing for the caller.
	Index int32
}

// priceOffset keeps short texts from winning by their shortness alone.
const priceOffset = 50

// ByDensity sorts offers by value / √(price + 50), the best first; equal ones keep their order.
func ByDensity(offers []Offer) {
	type keyed struct {
		density float64
		at      int32
	}
	keys := make([]keyed, len(offers))
	for i, o := range offers {
		keys[i] = keyed{float64(o.Value) / math.Sqrt(float64(o.Price+priceOffset)), int32(i)}
	}
	slices.SortFunc(keys, func(a, b keyed) int {
		switch {
		case a.density > b.density:
			return -1
		case a.density < b.density:
			return 1
		}
		return int(a.at - b.at)
	})
	sorted := make([]Offer, len(offers))
	for i, k := range keys {
		sorted[i] = offers[k.at]
	}
	copy(offers, sorted)
}
