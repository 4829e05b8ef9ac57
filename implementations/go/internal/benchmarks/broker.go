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

func (brokerBenchmark) Fill(receipt *pb.Receipt, reports *Reports) {
	counts := reports.Done.Counts
	receipt.Receipt = &pb.Receipt_Broker{Broker: &pb.BrokerReceipt{Results: counts[0], Sum: counts[1]}}
}

// employer gives the next task to whoever asks.
type employer struct {
	router    *actors.Ref
	employees []*actors.Ref
	tasks     uint32
	size      int
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
		self.SendAll(e.employees, employeeGo{m.salt})
	case employerRequest:
		if m.result > 0 {
			e.results++
			e.sum += m.checksum
		}
		if e.given < e.tasks {
			self.Send(e.router, routerTask{m.employee, e.given, payload(e.given, e.size)})
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

// payload is made anew for every task, byte by byte (BROKER-3).
func payload(number uint32, size int) []byte {
	bytes := make([]byte, size)
	for i := range bytes {
		bytes[i] = byte(number + uint32(i))
	}
	return bytes
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

type routerTask struct {
	employee, number uint32
	payload          []byte
}

func (routerTask) Kind() uint32 { return table.KindRouterTask }
func (m routerTask) Args(to []uint64) []uint64 {
	return append(to, uint64(m.employee), uint64(m.number), uint64(len(m.payload)))
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
	salt   uint32
}

type employeeGo struct{ salt uint32 }

func (employeeGo) Kind() uint32                { return table.KindEmployeeGo }
func (m employeeGo) Args(to []uint64) []uint64 { return append(to, uint64(m.salt)) }

type employeeTask struct {
	number  uint32
	payload []byte
}

func (employeeTask) Kind() uint32 { return table.KindEmployeeTask }
func (m employeeTask) Args(to []uint64) []uint64 {
	return append(to, uint64(m.number), uint64(len(m.payload)))
}

type employeeDismiss struct{}

func (employeeDismiss) Kind() uint32              { return table.KindEmployeeDismiss }
func (employeeDismiss) Args(to []uint64) []uint64 { return to }

func (e *employee) Take(self *actors.Self, _ *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case employeeGo:
		e.salt = m.salt
		self.Send(e.router, routerRequest{})
	case employeeTask:
		read := Checksum(Fold(e.salt, m.number), m.payload)
		self.Send(e.router, routerRequest{uint64(m.number) + 1, Fold(read, m.number)})
	case employeeDismiss:
		self.End()
	default:
		actors.Unexpected(m)
	}
}
