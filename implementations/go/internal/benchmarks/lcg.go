package benchmarks

// LCG is the random generator (spec/lcg.md). Its value is the state, and begins with the seed.
type LCG uint32

// Next draws: the new state is the output.
func (g *LCG) Next() uint32 {
	*g = (1309**g + 13849) % 65536
	return uint32(*g)
}

// NextInt draws once, whatever the limit is: the output mod limit, or the output if limit is 0.
func (g *LCG) NextInt(limit uint32) uint32 {
	output := g.Next()
	if limit == 0 {
		return output
	}
	return output % limit
}

// Shuffle draws len(list) - 1 times, and not at all for a list of none (LCG-3).
func Shuffle[T any](g *LCG, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := g.NextInt(uint32(i + 1))
		list[i], list[j] = list[j], list[i]
	}
}
