package actors

import (
	"fmt"

	"dramaturg/internal/control/names"
	"dramaturg/internal/nodes"
)

// Laden is a message that does not travel as what its receiver logs.
type Laden interface {
	Load() (numbers []uint64, payload []byte)
}

// Parcel is a message that has come from another node.
type Parcel struct {
	Payload []byte
	numbers []uint64
	world   *World
}

// Reader makes a message of what has come.
type Reader func(*Parcel) Message

var readers = map[uint32]Reader{}

// Read says how messages are read that come from other nodes, by their kind.
func Read(kinds map[uint32]Reader) {
	for kind, reader := range kinds {
		readers[kind] = reader
	}
}

// Wide is the next number.
func (p *Parcel) Wide() uint64 {
	number := p.numbers[0]
	p.numbers = p.numbers[1:]
	return number
}

// Narrow is the next number, of 32 bits.
func (p *Parcel) Narrow() uint32 {
	number := p.Wide()
	if number > 1<<32-1 {
		panic(fmt.Sprintf("%d has more than 32 bits", number))
	}
	return uint32(number)
}

// Ref is an actor that the message tells of.
func (p *Parcel) Ref(class uint8, first uint32) *Ref { return p.world.ref(names.Of(class, first, 0)) }

// sealed is a message as it goes to another node. Whoever sends it does this, not the connection.
func sealed(from *Ref, message Message) *nodes.Letter {
	sealed := &nodes.Letter{Sender: uint64(from.name), Kind: message.Kind()}
	if laden, ok := message.(Laden); ok {
		sealed.Numbers, sealed.Payload = laden.Load()
	} else {
		sealed.Numbers = message.Args(nil)
	}
	return sealed
}

// opened is a message as an actor takes it.
func (w *World) opened(sealed *nodes.Letter) *letter {
	read := readers[sealed.Kind]
	if read == nil {
		panic(fmt.Sprintf("kind %d comes from no other node", sealed.Kind))
	}
	from := w.ref(names.Name(sealed.Sender))
	return &letter{from, read(&Parcel{Payload: sealed.Payload, numbers: sealed.Numbers, world: w})}
}
