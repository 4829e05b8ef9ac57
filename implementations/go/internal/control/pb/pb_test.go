package pb

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// What is checked in has to be generated anew when the protocol changes.
func TestTheGeneratedFilesAreThoseOfTheProtocol(t *testing.T) {
	folder := os.Getenv("DRAMATURG_PROTO")
	if folder == "" {
		t.Skip("DRAMATURG_PROTO is not set: dramaturg proto prints the folder")
	}
	if _, err := exec.LookPath("protoc"); err != nil {
		t.Skip("protoc is missing")
	}
	generated := []protoreflect.FileDescriptor{
		File_dramaturg_v2_options_proto,
		File_dramaturg_v2_trace_proto,
		File_dramaturg_v2_benchmarks_proto,
		File_dramaturg_v2_control_proto,
	}
	for _, file := range generated {
		compiled := filepath.Join(t.TempDir(), "descriptors")
		said, err := exec.Command("protoc", "-I", folder, "-o", compiled, file.Path()).CombinedOutput()
		if err != nil {
			t.Fatalf("protoc: %v\n%s", err, said)
		}
		content, err := os.ReadFile(compiled)
		if err != nil {
			t.Fatal(err)
		}
		set := new(descriptorpb.FileDescriptorSet)
		if err := proto.Unmarshal(content, set); err != nil {
			t.Fatal(err)
		}
		if !proto.Equal(set.File[0], protodesc.ToFileDescriptorProto(file)) {
			t.Errorf("%s has changed: DRAMATURG_PROTO=%s go generate ./...", file.Path(), folder)
		}
	}
}
