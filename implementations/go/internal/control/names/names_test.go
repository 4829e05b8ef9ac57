package names

import "testing"

// The table of ACT-3.
func TestNamesAreThoseOfTheSpecification(t *testing.T) {
	for _, example := range []struct {
		printed       string
		class         uint8
		first, second uint32
		integer       Name
	}{
		{"client/17", 4, 17, 0, 288230376436924416},
		{"chat/17.2", 5, 17, 2, 360287970474852354},
		{"chat/0.0", 5, 0, 0, 360287970189639680},
		{"link/16777215", 22, 16777215, 0, 1585548543794348032},
	} {
		name := Of(example.class, example.first, example.second)
		if name != example.integer || name.String() != example.printed {
			t.Errorf("%v is %d instead of %s, %d", name, uint64(name), example.printed, uint64(example.integer))
		}
		if name.Class() != example.class || name.First() != example.first || name.Second() != example.second {
			t.Errorf("%v has parts %d, %d, %d", name, name.Class(), name.First(), name.Second())
		}
	}
}
