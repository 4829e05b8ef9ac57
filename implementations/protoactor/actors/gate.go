package actors

import (
	"context"
	"crypto/subtle"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// header is where a stream has the secret of the world in which it was opened (DIST-6).
const header = "dramaturg-secret"

// secretly are credentials of gRPC: each stream that is opened from here says the secret.
type secretly struct{}

func (secretly) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{header: secret()}, nil
}

// RequireTransportSecurity would want certificates.
func (secretly) RequireTransportSecurity() bool { return false }

// admitted lets no stream be read that does not know the secret.
func admitted(
	server interface{}, stream grpc.ServerStream, _ *grpc.StreamServerInfo, serve grpc.StreamHandler,
) error {
	said, _ := metadata.FromIncomingContext(stream.Context())
	for _, each := range said.Get(header) {
		if known := secret(); known != "" && subtle.ConstantTimeCompare([]byte(each), []byte(known)) == 1 {
			return serve(server, stream)
		}
	}
	return status.Error(codes.Unauthenticated, "another secret")
}

// refused are the calls that are no streams: Proto.Actor has not written them, and panics.
func refused(
	_ context.Context, _ interface{}, call *grpc.UnaryServerInfo, _ grpc.UnaryHandler,
) (interface{}, error) {
	return nil, status.Error(codes.Unimplemented, call.FullMethod)
}

// secret is that of the world that was prepared last; empty if that is alone.
func secret() string {
	if w := connected.world.Load(); w != nil {
		return w.place.Secret
	}
	return ""
}
