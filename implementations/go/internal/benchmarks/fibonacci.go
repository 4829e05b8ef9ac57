package benchmarks

// Fibonacci descends twice for every number above 1: that work is what is measured (IMPL-6).
func Fibonacci(n uint32) uint64 {
	if n < 2 {
		return uint64(n)
	}
	return Fibonacci(n-1) + Fibonacci(n-2)
}
