package benchmarks

import (
	"testing"

	"dramaturg/internal/control/pb"
)

func TestPayloadsAndResultsAreThoseOfTheVectors(t *testing.T) {
	for _, vector := range readVectors(t).Task {
		bytes := payload(vector.Salt, vector.Number, vector.Size)
		if len(bytes) != vector.Size {
			t.Errorf("a payload of %d bytes instead of %d", len(bytes), vector.Size)
		}
		for i, first := range vector.First {
			if uint32(bytes[i]) != first {
				t.Errorf("salt %d, task %d, byte %d: %d instead of %d",
					vector.Salt, vector.Number, i, bytes[i], first)
			}
		}
		if checksum := Checksum(0, bytes); checksum != vector.Checksum {
			t.Errorf("salt %d, task %d: checksum %d instead of %d",
				vector.Salt, vector.Number, checksum, vector.Checksum)
		}
		if found := result(vector.Number, bytes); found != vector.Result {
			t.Errorf("salt %d, task %d: %d instead of %d", vector.Salt, vector.Number, found, vector.Result)
		}
	}
}

func TestTheProbeAddsTheResultsOfTheFirstTasks(t *testing.T) {
	for _, vector := range readVectors(t).Task {
		if vector.Number > 0 {
			continue
		}
		probe := &pb.Probe{Probe: &pb.Probe_Payloads_{Payloads: &pb.Probe_Payloads{
			Salt: vector.Salt, Tasks: 1, Size: uint32(vector.Size)}}}
		if answer := Answer(probe); len(answer) != 1 || answer[0] != uint64(vector.Result) {
			t.Errorf("%v instead of %d", answer, vector.Result)
		}
	}
}

func TestATaskIsLoggedWithTheChecksumOfWhatCame(t *testing.T) {
	bytes := payload(42, 0, 4)
	for _, logged := range [][]uint64{
		routerTask{7, 0, bytes}.Args(nil)[1:],
		employeeTask{0, bytes}.Args(nil),
	} {
		// As the chapter's example has it.
		if len(logged) != 3 || logged[2] != 3070143 {
			t.Errorf("logged: %v", logged)
		}
	}
}
