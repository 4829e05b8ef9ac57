package benchmarks

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"
)

// vectors are the questions of level 0 with their answers: dramaturg table --format vectors.
type vectors struct {
	LCG []struct {
		Seed           uint32
		Moduli, Values []uint32
	}
	Shuffle []struct {
		Seed, Length, State uint32
		Values              []uint32
	}
	Fibonacci []struct {
		N     uint32
		Value uint64
		Calls uint64
	}
	Fold []struct {
		Salt, Digest uint32
		Numbers      []uint32
	}
	Checksum []struct {
		Start, Checksum uint32
		Numbers         []uint32
	}
	Payload []struct {
		Payload uint64
		Digest  uint32
	}
	Stream []struct {
		Key     uint32
		Numbers []uint32
	}
	Task []struct {
		Salt, Number, Checksum, Result uint32
		Size                           int
		First                          []uint32
	}
	Latency []struct {
		Due               uint64
		Answered, Buckets []uint64
	}
}

func readVectors(t *testing.T) (v vectors) {
	t.Helper()
	content, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestDrawsAreThoseOfTheVectors(t *testing.T) {
	for _, vector := range readVectors(t).LCG {
		lcg := LCG(vector.Seed)
		for i, modulus := range vector.Moduli {
			if drawn := lcg.NextInt(modulus); drawn != vector.Values[i] {
				t.Errorf("seed %d, draw %d of %v: %d instead of %d",
					vector.Seed, i, vector.Moduli, drawn, vector.Values[i])
			}
		}
	}
}

func TestShuffledListsAreThoseOfTheVectors(t *testing.T) {
	for _, vector := range readVectors(t).Shuffle {
		lcg := LCG(vector.Seed)
		list := make([]uint32, vector.Length)
		for i := range list {
			list[i] = uint32(i)
		}
		Shuffle(&lcg, list)
		if !reflect.DeepEqual(list, vector.Values) || uint32(lcg) != vector.State {
			t.Errorf("seed %d: %v and state %d instead of %v and %d",
				vector.Seed, list, lcg, vector.Values, vector.State)
		}
	}
}

func TestFibonacciNumbersAreThoseOfTheVectors(t *testing.T) {
	const patience = 1e7 // calls
	for _, vector := range readVectors(t).Fibonacci {
		if vector.Calls > patience {
			continue
		}
		if number := Fibonacci(vector.N); number != vector.Value {
			t.Errorf("fib(%d) is %d instead of %d", vector.N, number, vector.Value)
		}
	}
}

func TestDigestsAreThoseOfTheVectors(t *testing.T) {
	v := readVectors(t)
	for _, vector := range v.Fold {
		digest := vector.Salt
		for _, number := range vector.Numbers {
			digest = Fold(digest, number)
		}
		if digest != vector.Digest {
			t.Errorf("%v folded into %d: %d instead of %d",
				vector.Numbers, vector.Salt, digest, vector.Digest)
		}
	}
	for _, vector := range v.Checksum {
		if checksum := Checksum(vector.Start, vector.Numbers); checksum != vector.Checksum {
			t.Errorf("checksum of %v from %d: %d instead of %d",
				vector.Numbers, vector.Start, checksum, vector.Checksum)
		}
	}
	for _, vector := range v.Payload {
		if digest := PayloadDigest(vector.Payload); digest != vector.Digest {
			t.Errorf("digest of payload %d: %d instead of %d", vector.Payload, digest, vector.Digest)
		}
	}
}

func TestStreamsAreThoseOfTheVectors(t *testing.T) {
	for _, vector := range readVectors(t).Stream {
		if numbers := Stream(vector.Key, len(vector.Numbers)); !reflect.DeepEqual(numbers, vector.Numbers) {
			t.Errorf("the stream from %d: %v instead of %v", vector.Key, numbers, vector.Numbers)
		}
	}
}
