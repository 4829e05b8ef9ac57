// Package pb is the protocol of the control port, generated from the protocol's files. They
// are where DRAMATURG_PROTO says: DRAMATURG_PROTO=$(dramaturg proto) go generate ./...
package pb

//go:generate ./generate.sh
