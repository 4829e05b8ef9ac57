package control

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/remote"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"dramaturg/internal/control/pb"
)

// socketOf has the test's program be a node that listens there: a process has one remote.
const socketOf = "DRAMATURG_TEST_NODE"

func TestMain(m *testing.M) {
	if socket := os.Getenv(socketOf); socket != "" {
		listener, err := net.Listen("unix", socket)
		if err != nil {
			panic(err)
		}
		server := grpc.NewServer()
		Register(server)
		go func() { _ = server.Serve(listener) }()
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	os.Exit(m.Run())
}

// node is a process that is one of several nodes.
type node struct {
	pb.ControlClient
	process *exec.Cmd
}

func start(t *testing.T) node {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "control.sock")
	process := exec.Command(os.Args[0])
	process.Env = append(os.Environ(), socketOf+"="+socket)
	process.Stderr = os.Stderr
	input, err := process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = input.Close()
		_ = process.Wait()
	})
	connection, err := grpc.NewClient("unix:"+socket,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.WaitForReady(true)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	return node{pb.NewControlClient(connection), process}
}

// cluster is several nodes on loopback, at ports that nobody uses.
type cluster struct {
	nodes []node
	peers []*pb.Peer
}

func startAll(t *testing.T, nodes int) cluster {
	t.Helper()
	var c cluster
	for i := 0; i < nodes; i++ {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		port := listener.Addr().(*net.TCPAddr).Port
		c.peers = append(c.peers, &pb.Peer{Host: "127.0.0.1", Port: uint32(port)})
		c.nodes = append(c.nodes, start(t))
	}
	return c
}

// prepare prepares the highest node first. The stranger has a secret of its own; 0: nobody has.
func (c cluster) prepare(benchmark *pb.Benchmark, secret string, stranger int) error {
	for i := len(c.nodes) - 1; i >= 0; i-- {
		request := &pb.PrepareRequest{Benchmark: benchmark, Node: uint32(i), Peers: c.peers, Secret: secret}
		if stranger > 0 && i == stranger {
			request.Secret = "another"
		}
		if _, err := c.nodes[i].Prepare(context.Background(), request); err != nil {
			return err
		}
	}
	return nil
}

func (c cluster) run() error {
	stream, err := c.nodes[0].Run(context.Background(), &pb.RunRequest{Salt: 1})
	for err == nil {
		_, err = stream.Recv()
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// play runs a benchmark from Prepare to Teardown. The receipt is node 0's.
func (c cluster) play(t *testing.T, benchmark *pb.Benchmark, secret string) *pb.Receipt {
	t.Helper()
	if err := c.prepare(benchmark, secret, 0); err != nil {
		t.Fatal(err)
	}
	if err := c.run(); err != nil {
		t.Fatal(err)
	}
	var first *pb.Receipt
	for i, node := range c.nodes {
		response, err := node.Teardown(context.Background(), &pb.TeardownRequest{})
		if err != nil {
			t.Fatal(err)
		}
		receipt := response.Receipt
		if receipt.Alive != 0 {
			t.Errorf("%d alive on node %d", receipt.Alive, i)
		}
		if i == 0 {
			first = receipt
		} else if receipt.Receipt != nil || receipt.RunNanos != 0 {
			t.Errorf("node %d has the receipt %v", i, receipt)
		}
	}
	return first
}

func pingPong(rounds uint32) *pb.Benchmark {
	return &pb.Benchmark{Parameters: &pb.Benchmark_Pingpong{Pingpong: &pb.PingPongParameters{Rounds: rounds}}}
}

func TestARunOverTwoNodesTwice(t *testing.T) {
	c := startAll(t, 2)
	for _, secret := range []string{"one", "two"} {
		receipt := c.play(t, pingPong(100), secret)
		if pongs := receipt.GetDone().GetArguments()[0]; pongs != 100 {
			t.Errorf("%d pongs", pongs)
		}
	}
}

func TestAMeshOverThreeNodes(t *testing.T) {
	c := startAll(t, 3)
	receipt := c.play(t, &pb.Benchmark{Parameters: &pb.Benchmark_Big{
		Big: &pb.BigParameters{Peers: 7, Rounds: 3}}}, "secret")
	if pings := receipt.GetDone().GetArguments()[0]; pings != 7*6*3 {
		t.Errorf("%d pings", pings)
	}
}

func TestClientsAreBornOnOtherNodesThanTheirDirectory(t *testing.T) {
	c := startAll(t, 3)
	receipt := c.play(t, &pb.Benchmark{Parameters: &pb.Benchmark_Chatapp{Chatapp: &pb.ChatAppParameters{
		Clients: 12, Directories: 2, Turns: 8, Seed: 42, Befriend: 50,
		Compute: 10, Post: 50, Leave: 10, Invite: 30, FibN: 5, History: true}}}, "secret")
	if confirms := receipt.GetChatapp().GetConfirms(); confirms != 8 {
		t.Errorf("%d turns were confirmed", confirms)
	}
	if receipt.GetChatapp().GetDeliveries() == 0 {
		t.Error("nothing was delivered")
	}
}

// A batch has all that is under way: 8 payloads of a mebibyte are twice what a server of gRPC takes.
func TestAsMuchAsIsUnderWayGoesInOneBatch(t *testing.T) {
	c := startAll(t, 2)
	receipt := c.play(t, &pb.Benchmark{Parameters: &pb.Benchmark_Broker{Broker: &pb.BrokerParameters{
		Employees: 8, Tasks: 16, Size: 1 << 20}}}, "secret")
	if results := receipt.GetDone().GetArguments()[0]; results != 16 {
		t.Errorf("%d results", results)
	}
}

func expectError(t *testing.T, err error, said ...string) {
	t.Helper()
	for _, each := range said {
		if status.Code(err) != codes.Internal || !strings.Contains(err.Error(), each) {
			t.Errorf("answered %v instead of %q", err, said)
		}
	}
}

func TestANodeWithAnotherSecretIsNamed(t *testing.T) {
	c := startAll(t, 2)
	c.play(t, pingPong(1), "secret")
	expectError(t, c.prepare(pingPong(1), "new", 1), "node 1 (127.0.0.1:", "secret")
}

func TestAPortThatIsTakenIsNamed(t *testing.T) {
	c := startAll(t, 2)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	c.peers[1].Port = uint32(listener.Addr().(*net.TCPAddr).Port)
	expectError(t, c.prepare(pingPong(1), "secret", 0), "node 1 (127.0.0.1:", "cannot listen")
}

func TestALostNodeEndsTheRunAndIsNamed(t *testing.T) {
	c := startAll(t, 3)
	endless := &pb.Benchmark{Parameters: &pb.Benchmark_Big{
		Big: &pb.BigParameters{Peers: 3, Windows: 2, Window: 600_000}}}
	if err := c.prepare(endless, "secret", 0); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(100*time.Millisecond, func() { _ = c.nodes[2].process.Process.Kill() })
	expectError(t, c.run(), "node 2 (127.0.0.1:", "lost")
}

// Proto.Actor answers this call with a panic, which would end the node.
func TestAStrangersCallDoesNotEndANode(t *testing.T) {
	c := startAll(t, 2)
	c.play(t, pingPong(1), "secret")
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(int(c.peers[1].Port)))
	connection, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	stranger := remote.NewRemotingClient(connection)
	_, err = stranger.ListProcesses(context.Background(), new(remote.ListProcessesRequest))
	if status.Code(err) != codes.Unimplemented {
		t.Errorf("answered %v", err)
	}
	c.play(t, pingPong(1), "new")
}

func TestAStreamWithoutTheSecretIsNotRead(t *testing.T) {
	c := startAll(t, 2)
	c.play(t, pingPong(1), "secret")
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(int(c.peers[1].Port)))
	connection, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	for _, said := range []string{"", "another"} {
		ctx := metadata.AppendToOutgoingContext(context.Background(), "dramaturg-secret", said)
		stream, err := remote.NewRemotingClient(connection).Receive(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = stream.Recv(); status.Code(err) != codes.Unauthenticated {
			t.Errorf("who said %q was answered %v", said, err)
		}
	}
}
