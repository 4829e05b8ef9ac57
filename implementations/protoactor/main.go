// Dramaturg's benchmarks in Go with Proto.Actor's actors: serves the control port on a Unix socket
// until standard input ends.
package main

import (
	"context"
	"flag"
	"io"
	"log"
	"net"
	"os"
	"runtime/debug"

	"google.golang.org/grpc"

	"dramaturg/internal/control"
	"dramaturg/internal/control/pb"
)

// library is the module whose actors these are.
const library = "github.com/asynkron/protoactor-go"

func main() {
	log.SetFlags(0)
	socket := flag.String("socket", "", "path of the Unix socket to listen on")
	flag.Parse()
	if *socket == "" || flag.NArg() > 0 {
		log.Fatal("usage: dramaturg-protoactor --socket PATH")
	}
	listener, err := net.Listen("unix", *socket)
	if err != nil {
		log.Fatalf("cannot listen: %v", err)
	}
	go exitWithInput()
	server := grpc.NewServer(grpc.UnaryInterceptor(named))
	control.Register(server)
	log.Fatal(server.Serve(listener))
}

// named has Describe name the library as the runtime, and Go beside it.
func named(
	ctx context.Context, request interface{}, _ *grpc.UnaryServerInfo, answer grpc.UnaryHandler,
) (interface{}, error) {
	response, err := answer(ctx, request)
	if described, ok := response.(*pb.DescribeResponse); ok && err == nil {
		described.Details["Go"] = described.RuntimeVersion
		described.Runtime, described.RuntimeVersion = "Proto.Actor", version()
	}
	return response, err
}

// version is the library's, as it was built in.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == library {
				return module.Version
			}
		}
	}
	return "unknown"
}

// exitWithInput ends the process, whatever is under way (CTRL-11).
func exitWithInput() {
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		log.Fatalf("cannot read standard input: %v", err)
	}
	os.Exit(0)
}
