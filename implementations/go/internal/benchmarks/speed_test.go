package benchmarks

import (
	"testing"

	"dramaturg/internal/control/pb"
)

func BenchmarkPingPong(b *testing.B) {
	play(b, &pb.Benchmark{Parameters: &pb.Benchmark_Pingpong{
		Pingpong: &pb.PingPongParameters{Rounds: uint32(b.N)}}}, 42, nil)
}

func BenchmarkChatApp(b *testing.B) {
	deliveries := uint64(0)
	for i := 0; i < b.N; i++ {
		receipt, _ := play(b, chatApp(1024, 32), 42, nil)
		deliveries += receipt.GetChatapp().Deliveries
	}
	b.ReportMetric(float64(deliveries)/float64(b.N), "deliveries/op")
}

func BenchmarkBang(b *testing.B) {
	play(b, &pb.Benchmark{Parameters: &pb.Benchmark_Bang{
		Bang: &pb.BangParameters{Senders: 64, Messages: uint32(b.N/64 + 1)}}}, 42, nil)
}
