package shell

import (
	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
	"github.com/ctxplan/ctxplan/plugin/engine"
)

// ABIVersion is major·2¹⁶ + minor.
const ABIVersion int32 = abi.Major<<16 | abi.Minor

// Engine answers requests of one space.
type Engine struct {
	space *engine.Space
	// tick tells a panic of the host's tick from one of the engine; nil when there is none.
	tick    func()
	ticking bool
	// broken says that an op panicked half way, so that the state can't be trusted.
	broken bool
}

// New makes an engine with an empty space.
func New() *Engine {
	e := &Engine{space: engine.New()}
	return e
}

// SetTick sets the function that is called about every 0.2 to 1 ms of work. It may panic to abandon the call: the panic
// goes through to the caller of Handle, and the engine is then to be thrown away.
func (e *Engine) SetTick(tick func()) {
	e.tick = nil
	if tick != nil {
		e.tick = func() {
			e.ticking = true
			tick()
			e.ticking = false
		}
	}
	e.space.SetTick(e.tick)
}

// Ops lists the ops by name, in the order of the exports. The slice is the caller's.
func Ops() []string { return append([]string(nil), abi.Ops...) }

// Handle runs an op. It keeps nothing of the request; the response is the caller's.
func (e *Engine) Handle(op string, request []byte) (response []byte) {
	if e.broken {
		return failed(&abi.Error{Code: abi.CodeInternal, Message: "an earlier op of this space broke off; throw the instance away"})
	}
	defer func() {
		if r := recover(); r != nil {
			e.broken = true
			if e.ticking {
				panic(r)
			}
			response = failed(&abi.Error{Code: abi.CodeInternal, Message: "the engine panicked: " + panicText(r)})
		}
	}()
	if len(request) > abi.FrameLimit {
		have, limit := int64(len(request)), int64(abi.FrameLimit)
		return failed(&abi.Error{Code: abi.CodeTooLarge, Message: "the request is larger than a frame",
			Details: &abi.ErrorDetails{Have: &have, Limit: &limit}})
	}
	response, err := e.run(op, request)
	if err != nil {
		return failed(err)
	}
	if len(response) > abi.FrameLimit {
		have, limit := int64(len(response)), int64(abi.FrameLimit)
		return failed(&abi.Error{Code: abi.CodeTooLarge, Message: "the response would be larger than a frame",
			Details: &abi.ErrorDetails{Have: &have, Limit: &limit}})
	}
	return response
}

func (e *Engine) run(op string, request []byte) ([]byte, *abi.Error) {
	switch op {
	case abi.OpDescribe:
		return call(e, request, new(abi.DescribeRequest), e.space.Describe)
	case abi.OpConfigure:
		return call(e, request, new(abi.ConfigureRequest), e.space.Configure)
	case abi.OpAppend:
		return repairing(e, request, new(abi.AppendRequest), e.space.Append,
			func(out *abi.AppendResponse, repaired []string) { out.Repaired = repaired })
	case abi.OpPlan:
		return repairing(e, request, new(abi.PlanRequest), e.space.Plan, func(out *abi.PlanResponse, repaired []string) {
			if out.Plan != nil {
				out.Plan.Repaired = repaired
			}
		})
	case abi.OpNeeds:
		return call(e, request, new(abi.NeedsRequest), e.space.Needs)
	case abi.OpFulfil:
		return call(e, request, new(abi.FulfilRequest), e.space.Fulfil)
	case abi.OpRead:
		return call(e, request, new(abi.ReadRequest), e.space.Read)
	case abi.OpAmend:
		return repairing(e, request, new(abi.AmendRequest), e.space.Amend,
			func(out *abi.AmendResponse, repaired []string) { out.Repaired = repaired })
	case abi.OpForget:
		return call(e, request, new(abi.ForgetRequest), e.space.Forget)
	case abi.OpExport:
		return page(e, request, new(abi.ExportRequest), e.space.Export)
	case abi.OpSnapshot:
		return page(e, request, new(abi.SnapshotRequest), e.space.Snapshot)
	case abi.OpRestore:
		return e.restore(request)
	case abi.OpRender:
		return call(e, request, new(abi.RenderRequest), e.space.Render)
	case abi.OpStats:
		return call(e, request, new(abi.StatsRequest), e.space.Stats)
	}
	return nil, &abi.Error{Code: abi.CodeNotImplemented, Message: "there is no such op"}
}

// encoder is a response that can be written.
type encoder interface{ AppendWire(dst []byte) []byte }

func (e *Engine) decode(request []byte, into wire.Value) (repaired []string, err *abi.Error) {
	d := wire.Decoder{Strict: true, Tick: e.tick}
	if failure := d.Decode(request, into); failure != nil {
		w := failure.(*wire.Error)
		return nil, &abi.Error{Code: w.Code, Message: w.Message, Path: w.Path}
	}
	return d.Repaired, nil
}

func call[Q wire.Value, R encoder](e *Engine, request []byte, into Q, op func(Q) (R, *abi.Error)) ([]byte, *abi.Error) {
	return repairing(e, request, into, op, func(R, []string) {})
}

// repairing is call for ops whose response lists the strings that were repaired.
func repairing[Q wire.Value, R encoder](e *Engine, request []byte, into Q, op func(Q) (R, *abi.Error), list func(R, []string)) ([]byte, *abi.Error) {
	repaired, err := e.decode(request, into)
	if err != nil {
		return nil, err
	}
	out, err := op(into)
	if err != nil {
		return nil, err
	}
	list(out, repaired)
	return out.AppendWire(nil), nil
}

// failed is the response of an op that failed.
func failed(err *abi.Error) []byte {
	out := abi.ErrorResponse{Error: *err}
	return out.AppendWire(nil)
}

// panicText is what can be said of a recovered panic without package fmt.
func panicText(r any) string {
	switch v := r.(type) {
	case string:
		return v
	case error:
		return v.Error()
	case interface{ String() string }:
		return v.String()
	}
	return "unknown value"
}
