package control

import (
	"context"
	"os"
	"runtime"

	"dramaturg/internal/benchmarks"
	"dramaturg/internal/control/pb"
)

// Describe says what runtime this is, and answers the probes (CTRL-14).
func (*Service) Describe(_ context.Context, request *pb.DescribeRequest) (*pb.DescribeResponse, error) {
	response := &pb.DescribeResponse{
		Runtime:        "Go",
		RuntimeVersion: runtime.Version(),
		Schedulers:     uint32(runtime.GOMAXPROCS(0)),
		Details: map[string]string{
			"platform": runtime.GOOS + "/" + runtime.GOARCH,
			"compiler": runtime.Compiler,
		},
	}
	for _, variable := range []string{"GOGC", "GOMEMLIMIT", "GODEBUG"} {
		if value := os.Getenv(variable); value != "" {
			response.Details[variable] = value
		}
	}
	for _, probe := range request.Probes {
		response.Answers = append(response.Answers, &pb.ProbeAnswer{Values: answer(probe)})
	}
	return response, nil
}

func answer(probe *pb.Probe) []uint64 {
	switch p := probe.Probe.(type) {
	case *pb.Probe_Lcg_:
		lcg := benchmarks.LCG(p.Lcg.Seed)
		values := make([]uint64, len(p.Lcg.Moduli))
		for i, modulus := range p.Lcg.Moduli {
			values[i] = uint64(lcg.NextInt(modulus))
		}
		return values
	case *pb.Probe_Shuffle_:
		lcg := benchmarks.LCG(p.Shuffle.Seed)
		values := make([]uint64, p.Shuffle.Length)
		for i := range values {
			values[i] = uint64(i)
		}
		benchmarks.Shuffle(&lcg, values)
		return append(values, uint64(lcg))
	case *pb.Probe_Fibonacci_:
		return []uint64{benchmarks.Fibonacci(p.Fibonacci.N)}
	case *pb.Probe_Fold_:
		digest := p.Fold.Salt
		for _, number := range p.Fold.Numbers {
			digest = benchmarks.Fold(digest, number)
		}
		return []uint64{uint64(digest)}
	}
	return benchmarks.Answer(probe)
}
