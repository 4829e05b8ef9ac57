package benchmarks

// Fold folds a number into a digest (ACT-8). All is modulo 2^32.
func Fold(digest, number uint32) uint32 {
	h := 1664525*digest + 1013904223 + number
	return h ^ h>>16
}

// Stream is the first numbers of the stream from a key (ACT-11).
func Stream(key uint32, count int) []uint32 {
	numbers := make([]uint32, count)
	for i := range numbers {
		key = Fold(key, uint32(i))
		numbers[i] = key
	}
	return numbers
}

// Checksum is the digest of a list, from start (ACT-9).
func Checksum[T uint8 | uint32](start uint32, list []T) uint32 {
	for _, number := range list {
		start = 31*start + uint32(number)
	}
	return start
}

// PayloadDigest is the digest of what a post carries, of its two halves (spec/chatapp.md).
func PayloadDigest(payload uint64) uint32 {
	return Fold(uint32(payload>>32), uint32(payload))
}
