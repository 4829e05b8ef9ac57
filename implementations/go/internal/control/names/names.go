// Package names has the names of actors (ACT-3).
package names

import (
	"fmt"

	"dramaturg/internal/control/table"
)

// Name names an actor of a world: bits 63..56 are its class, bits 55..24 its first index,
// bits 23..0 its second index.
type Name uint64

// Of makes the name of an actor from its class and its indices. The second index has 24 bits.
func Of(class uint8, first, second uint32) Name {
	return Name(class)<<56 | Name(first)<<24 | Name(second)
}

// Control is what stands for the harness as a sender.
const Control Name = table.ClassControl << 56

// Class is what the actor is: a number below 128.
func (n Name) Class() uint8 { return uint8(n >> 56) }

// First is the actor's first index.
func (n Name) First() uint32 { return uint32(n >> 24) }

// Second is the actor's second index; 0 but for chats.
func (n Name) Second() uint32 { return uint32(n & 0xffffff) }

// String is the name as the harness prints it: client/17, chat/17.2.
func (n Name) String() string {
	label := table.ClassLabels[n.Class()]
	if n.Class() == table.ClassChat {
		return fmt.Sprintf("%s/%d.%d", label, n.First(), n.Second())
	}
	return fmt.Sprintf("%s/%d", label, n.First())
}
