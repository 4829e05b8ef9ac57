// What a call of Fibonacci's function costs in this language, in nanoseconds: the least of
// many short runs, by the text that implementations compute with (IMPL-6).
package main

import (
	"fmt"
	"time"
)

var n uint32 = 21
var value uint64

func fibonacci(n uint32) uint64 {
	if n < 2 {
		return uint64(n)
	}
	return fibonacci(n-1) + fibonacci(n-2)
}

func main() {
	least := time.Hour
	for started := time.Now(); time.Since(started) < time.Second; {
		begun := time.Now()
		value = fibonacci(n)
		if took := time.Since(begun); took < least {
			least = took
		}
	}
	fmt.Printf("%.6f\n", float64(least.Nanoseconds())/float64(2*fibonacci(n+1)-1))
}
