package benchmarks

import (
	"sort"

	"dramaturg/internal/actors"
	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/stopwatch"
	"dramaturg/internal/control/table"
)

// mergesortBenchmark is the benchmark of spec/mergesort.md.
type mergesortBenchmark struct {
	micro
	*pb.MergesortParameters
}

func (b mergesortBenchmark) Populate(world *actors.World) *actors.Ref {
	return world.Spawn(names.Of(table.ClassSorter, 1, 0), &sorter{leaf: int(b.Leaf), seed: b.Seed})
}

func (b mergesortBenchmark) Start(salt uint32) actors.Message {
	return sorterSort{0, b.Length, salt, nil}
}

// sorter splits its list among two others, and merges what they make of it.
type sorter struct {
	maker   *actors.Ref // nil: control, for the root
	leaf    int
	seed    uint32 // of the root, that makes the integers
	salt    uint32
	sorters uint32
	half    []uint32 // the one that came first; no list is empty
}

// sorterSort is logged with the list's checksum, which is not sent (SORT-2). To the root comes no
// list: it makes one of this length.
type sorterSort struct {
	first, length, salt uint32
	list                []uint32
}

func (sorterSort) Kind() uint32 { return table.KindSorterSort }
func (m sorterSort) Args(to []uint64) []uint64 {
	checksum := Checksum(m.salt, m.list)
	return append(to, uint64(m.first), uint64(m.length), uint64(m.salt), uint64(checksum))
}

// sorterSorted takes the salt along for its checksum, which is made as that of sorterSort.
type sorterSorted struct {
	sorters, salt uint32
	list          []uint32
}

func (sorterSorted) Kind() uint32 { return table.KindSorterSorted }
func (m sorterSorted) Args(to []uint64) []uint64 {
	checksum := Checksum(m.salt, m.list)
	return append(to, uint64(len(m.list)), uint64(m.sorters), uint64(checksum))
}

func (s *sorter) Take(self *actors.Self, _ *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case sorterSort:
		s.salt = m.salt
		s.sorters = 1
		list := m.list
		if s.maker == nil {
			list = integers(m.salt, s.seed, int(m.length))
		}
		if len(list) <= s.leaf {
			s.report(self, sorted(list))
			return
		}
		middle := (len(list) + 1) / 2
		s.sort(self, 2*self.Index(), m.first, list[:middle])
		s.sort(self, 2*self.Index()+1, m.first+uint32(middle), list[middle:])
	case sorterSorted:
		s.sorters += m.sorters
		if s.half == nil {
			s.half = m.list
			return
		}
		s.report(self, merged(s.half, m.list))
	default:
		actors.Unexpected(m)
	}
}

// integers are the input, which depends on the salt (SORT-1).
func integers(salt, seed uint32, length int) []uint32 {
	list := Stream(Fold(salt, seed), length)
	for i := range list {
		list[i] >>= 16
	}
	return list
}

// sort spawns a sorter and sends it a copy of its half: no two actors reach one array (SORT-3).
func (s *sorter) sort(self *actors.Self, index, first uint32, half []uint32) {
	sorter := self.Spawn(names.Of(table.ClassSorter, index, 0), &sorter{maker: &self.Ref, leaf: s.leaf})
	self.Send(sorter, sorterSort{first, uint32(len(half)), s.salt, append([]uint32(nil), half...)})
}

func (s *sorter) report(self *actors.Self, list []uint32) {
	if s.maker == nil {
		done := Done{At: stopwatch.Now()}
		done.Arguments = []uint64{uint64(len(list)), uint64(s.sorters), uint64(Checksum(s.salt, list))}
		self.Report(done)
	} else {
		self.Send(s.maker, sorterSorted{s.sorters, s.salt, list})
	}
	self.End()
}

func sorted(list []uint32) []uint32 {
	// Half of all sorters have one integer, for which a closure and a swapper would be made.
	if len(list) > 1 {
		sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
	}
	return list
}

func merged(a, b []uint32) []uint32 {
	list := make([]uint32, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] <= b[0] {
			list, a = append(list, a[0]), a[1:]
		} else {
			list, b = append(list, b[0]), b[1:]
		}
	}
	return append(append(list, a...), b...)
}
