package benchmarks

import (
	"dramaturg/internal/actors"
	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/stopwatch"
	"dramaturg/internal/control/table"
)

// brokerBenchmark is the benchmark of spec/broker.md.
type brokerBenchmark struct {
	micro
	*pb.BrokerParameters
}

func (b brokerBenchmark) Populate(world *actors.World) *actors.Ref {
	employees := make([]*actors.Ref, b.Employees)
	router := &router{employees: employees}
	through := world.Spawn(names.Of(table.ClassRouter, 0, 0), router)
	for i := range employees {
		employees[i] = world.Spawn(names.Of(table.ClassEmployee, uint32(i), 0), &employee{router: through})
	}
	lead := world.Spawn(names.Of(table.ClassEmployer, 0, 0), &employer{
		router:    through,
		employees: employees,
		tasks:     b.Tasks,
		size:      int(b.Size),
	})
	router.employer = lead
	return lead
}

func (brokerBenchmark) Start(salt uint32) actors.Message { return employerStart{salt} }

func (brokerBenchmark) Disconnect() actors.Message { return employerDisconnect{} }

// employer gives the next task to whoever asks.
type employer struct {
	router    *actors.Ref
	employees []*actors.Ref
	tasks     uint32
	size      int
	salt      uint32
	given     uint32
	waiting   int
	results   uint64
	sum       uint32
}

type employerStart struct{ salt uint32 }

func (employerStart) Kind() uint32                { return table.KindEmployerStart }
func (m employerStart) Args(to []uint64) []uint64 { return append(to, uint64(m.salt)) }

type employerRequest struct {
	employee uint32
	result   uint64
	checksum uint32
}

func (employerRequest) Kind() uint32 { return table.KindEmployerRequest }
func (m employerRequest) Args(to []uint64) []uint64 {
	return append(to, uint64(m.employee), m.result, uint64(m.checksum))
}

type employerDisconnect struct{}

func (employerDisconnect) Kind() uint32              { return table.KindEmployerDisconnect }
func (employerDisconnect) Args(to []uint64) []uint64 { return to }

func (e *employer) Take(self *actors.Self, _ *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case employerStart:
		e.salt = m.salt
		self.SendAll(e.employees, employeeGo{})
	case employerRequest:
		if m.result > 0 {
			e.results++
			e.sum += m.checksum
		}
		if e.given < e.tasks {
			self.Send(e.router, routerTask{m.employee, e.given, payload(e.salt, e.given, e.size)})
			e.given++
			return
		}
		e.waiting++
		if e.waiting == len(e.employees) {
			self.Report(Done{stopwatch.Now(), []uint64{e.results, uint64(e.sum)}})
		}
	case employerDisconnect:
		for i := range e.employees {
			self.Send(e.router, routerDismiss{uint32(i)})
		}
		self.End()
	default:
		actors.Unexpected(m)
	}
}

// payload is made anew for every task, byte by byte: the highest byte of each number of a stream
// (BROKER-3).
func payload(salt, number uint32, size int) []byte {
	bytes := make([]byte, size)
	key := Fold(salt, number)
	for i := range bytes {
		key = Fold(key, uint32(i))
		bytes[i] = byte(key >> 24)
	}
	return bytes
}

// result is what an employee finds who reads a payload.
func result(number uint32, payload []byte) uint32 {
	return Fold(Checksum(0, payload), number)
}

// results are the sum of those of the first tasks, of payloads that are made and read as in a run.
func results(salt, tasks uint32, size int) (sum uint32) {
	for number := uint32(0); number < tasks; number++ {
		sum += result(number, payload(salt, number, size))
	}
	return sum
}

// router passes on.
type router struct {
	employer  *actors.Ref
	employees []*actors.Ref
	dismissed int
}

type routerRequest struct {
	result   uint64
	checksum uint32
}

func (routerRequest) Kind() uint32 { return table.KindRouterRequest }
func (m routerRequest) Args(to []uint64) []uint64 {
	return append(to, m.result, uint64(m.checksum))
}

// routerTask is logged with the payload's checksum, which is not sent (BROKER-5).
type routerTask struct {
	employee, number uint32
	payload          []byte
}

func (routerTask) Kind() uint32 { return table.KindRouterTask }
func (m routerTask) Args(to []uint64) []uint64 {
	checksum := Checksum(0, m.payload)
	return append(to, uint64(m.employee), uint64(m.number), uint64(len(m.payload)), uint64(checksum))
}

type routerDismiss struct{ employee uint32 }

func (routerDismiss) Kind() uint32                { return table.KindRouterDismiss }
func (m routerDismiss) Args(to []uint64) []uint64 { return append(to, uint64(m.employee)) }

func (r *router) Take(self *actors.Self, from *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case routerRequest:
		self.Send(r.employer, employerRequest{from.Index(), m.result, m.checksum})
	case routerTask:
		self.Send(r.employees[m.employee], employeeTask{m.number, m.payload})
	case routerDismiss:
		self.Send(r.employees[m.employee], employeeDismiss{})
		r.dismissed++
		if r.dismissed == len(r.employees) {
			self.End()
		}
	default:
		actors.Unexpected(m)
	}
}

// employee reads what it gets.
type employee struct {
	router *actors.Ref
}

type employeeGo struct{}

func (employeeGo) Kind() uint32              { return table.KindEmployeeGo }
func (employeeGo) Args(to []uint64) []uint64 { return to }

// employeeTask is logged as routerTask is.
type employeeTask struct {
	number  uint32
	payload []byte
}

func (employeeTask) Kind() uint32 { return table.KindEmployeeTask }
func (m employeeTask) Args(to []uint64) []uint64 {
	return append(to, uint64(m.number), uint64(len(m.payload)), uint64(Checksum(0, m.payload)))
}

type employeeDismiss struct{}

func (employeeDismiss) Kind() uint32              { return table.KindEmployeeDismiss }
func (employeeDismiss) Args(to []uint64) []uint64 { return to }

func (e *employee) Take(self *actors.Self, _ *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case employeeGo:
		self.Send(e.router, routerRequest{})
	case employeeTask:
		self.Send(e.router, routerRequest{uint64(m.number) + 1, result(m.number, m.payload)})
	case employeeDismiss:
		self.End()
	default:
		actors.Unexpected(m)
	}
}
