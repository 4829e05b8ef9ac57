// Package nodes says on which node an actor lives, and has what nodes send each other
// (spec/distributed.md).
package nodes

import (
	"fmt"
	"net"
	"strconv"

	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/table"
)

// Place is which node of which a process is, for one world. The zero Place is alone.
type Place struct {
	Node        int
	Secret      string
	addresses   []string
	directories uint32
	mesh        bool
}

// Of is the place that Prepare gives.
func Of(request *pb.PrepareRequest) Place {
	p := Place{Node: int(request.Node), Secret: request.Secret, directories: 1}
	for _, peer := range request.Peers {
		p.addresses = append(p.addresses, net.JoinHostPort(peer.Host, strconv.Itoa(int(peer.Port))))
	}
	switch b := request.Benchmark.GetParameters().(type) {
	case *pb.Benchmark_Chatapp:
		p.directories, p.mesh = b.Chatapp.Directories, true
	case *pb.Benchmark_Big:
		p.mesh = true
	}
	return p
}

// Alone is true where there are no other nodes.
func (p Place) Alone() bool { return len(p.addresses) == 0 }

// Nodes is how many there are.
func (p Place) Nodes() int { return len(p.addresses) }

// Mesh tells whether every node talks to every other, or all to node 0.
func (p Place) Mesh() bool { return p.mesh }

// Address is where a node listens.
func (p Place) Address(node int) string { return p.addresses[node] }

// Spell is a node as errors have it: node 1 (10.0.0.2:4000).
func (p Place) Spell(node int) string { return fmt.Sprintf("node %d (%s)", node, p.addresses[node]) }

// At is the node that listens at an address.
func (p Place) At(address string) (node int, found bool) {
	for node, each := range p.addresses {
		if each == address {
			return node, true
		}
	}
	return 0, false
}

// Home is the node of an actor (DIST-1).
func (p Place) Home(actor names.Name) int {
	nodes, index := uint32(len(p.addresses)), actor.First()
	switch actor.Class() {
	case table.ClassPong:
		return 1
	case table.ClassPeer, table.ClassDirectory:
		return int(index % nodes)
	case table.ClassSender, table.ClassBrowser, table.ClassEmployee:
		return int(1 + index%(nodes-1))
	case table.ClassClient, table.ClassChat:
		return int(index / p.directories % nodes)
	}
	return 0
}

// Nursery is where a node of this world is greeted, by its ID in Proto.Actor. Nobody without the
// secret knows it (DIST-6).
func (p Place) Nursery() string { return p.Secret }

// ID is an actor's in Proto.Actor. Nobody without the secret knows it (DIST-6).
func (p Place) ID(actor names.Name) string {
	return p.Secret + "/" + strconv.FormatUint(uint64(actor), 36)
}
