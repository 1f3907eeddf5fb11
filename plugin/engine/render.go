package engine

import (
	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/render"
)

// Render gives the items of a plan as the parts of a request body.
func (s *Space) Render(req *abi.RenderRequest) (*abi.RenderResponse, *abi.Error) {
	// The revision of a plan with an acl is a token from which its age can't be read: it is rendered with the plan.
	if req.Revision < s.forgotten || req.Revision > s.revision {
		return nil, failure(abi.CodeStale, "revision", "the plan is older than the last forgetting, or not of this space; plan again, with render")
	}
	raw, e := render.Messages(req.Format, req.Items)
	if e != nil {
		return nil, fromWire(e)
	}
	return &abi.RenderResponse{Rendered: raw}, nil
}
