// Dramaturg's benchmarks in Go: serves the control port on a Unix socket until standard input ends.
package main

import (
	"flag"
	"io"
	"log"
	"net"
	"os"

	"google.golang.org/grpc"

	"dramaturg/internal/control"
)

func main() {
	log.SetFlags(0)
	socket := flag.String("socket", "", "path of the Unix socket to listen on")
	flag.Parse()
	if *socket == "" || flag.NArg() > 0 {
		log.Fatal("usage: dramaturg-go --socket PATH")
	}
	listener, err := net.Listen("unix", *socket)
	if err != nil {
		log.Fatalf("cannot listen: %v", err)
	}
	go exitWithInput()
	server := grpc.NewServer()
	control.Register(server)
	log.Fatal(server.Serve(listener))
}

// exitWithInput ends the process, whatever is under way (CTRL-11).
func exitWithInput() {
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		log.Fatalf("cannot read standard input: %v", err)
	}
	os.Exit(0)
}
