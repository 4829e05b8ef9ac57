// Sends messages of a mebibyte from one actor system to another by Proto.Actor's remote, and counts
// those that arrive: with the default settings, and with a larger limit for gRPC's server.
package main

import (
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/remote"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

const (
	size     = 1 << 20
	patience = time.Minute
	// settle is for what was read before the connection was lost.
	settle = time.Second
)

func system(options ...remote.ConfigOption) *actor.ActorSystem {
	s := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
		return slog.New(slog.NewTextHandler(io.Discard, nil))
	}))
	remote.NewRemote(s, remote.Configure("127.0.0.1", 0, options...)).Start()
	return s
}

// arrived is how many of the messages arrive, and whether the sender's system said that the address
// was lost. The connection is there before the first of them.
func arrived(messages int64, options ...remote.ConfigOption) (int64, bool) {
	var taken atomic.Int64
	receiver := system(options...).Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		if _, ok := c.Message().(*wrapperspb.BytesValue); ok {
			taken.Add(1)
		}
	}))
	sender := system(options...)
	var lost atomic.Bool
	sender.EventStream.Subscribe(func(event interface{}) {
		if _, ok := event.(*remote.EndpointTerminatedEvent); ok {
			lost.Store(true)
		}
	})
	send := func(n int64, content []byte) {
		taken.Store(0)
		for i := int64(0); i < n; i++ {
			sender.Root.Send(receiver, wrapperspb.Bytes(content))
		}
		for since := time.Now(); taken.Load() < n && !lost.Load() && time.Since(since) < patience; {
			time.Sleep(time.Millisecond)
		}
	}
	send(1, nil)
	send(messages, make([]byte, size))
	if lost.Load() {
		time.Sleep(settle)
	}
	return taken.Load(), lost.Load()
}

func main() {
	messages, err := strconv.ParseInt(os.Args[1], 10, 64)
	if err != nil {
		panic(err)
	}
	few, lost := arrived(messages)
	all, _ := arrived(messages, remote.WithServerOptions(grpc.MaxRecvMsgSize(math.MaxInt32)))
	fmt.Printf("of %d messages of 1 MiB %d arrived with the default settings (address lost: %v), and %d with a larger limit\n",
		messages, few, lost, all)
	if !lost || few == messages || all != messages {
		os.Exit(1)
	}
}
