package engine

import (
	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/calendar"
)

// Configure merges a patch into the settings.
func (s *Space) Configure(req *abi.ConfigureRequest) (*abi.ConfigureResponse, *abi.Error) {
	if e := checkNow(req.Now); e != nil {
		return nil, e
	}
	set, e := s.with(&req.Settings, "settings")
	if e != nil {
		return nil, e
	}
	s.configure(set)
	return &abi.ConfigureResponse{Revision: s.revision, Settings: copySettings(&s.settings)}, nil
}

// configure puts checked settings in force.
func (s *Space) configure(set abi.Settings) {
	regroup := gap(&set) != gap(&s.settings)
	s.settings = set
	if m := set.Models.Embed; m != nil && s.keyOf(m) < 0 {
		s.models = append(s.models, *m)
	}
	if regroup {
		s.regroup()
	}
	s.revision++
}

// with is the settings in force with a patch merged in. It changes nothing.
func (s *Space) with(patch *abi.SettingsPatch, path string) (abi.Settings, *abi.Error) {
	set := copySettings(&s.settings)
	if e := patch.Merge(&set, path); e != nil {
		return set, fromWire(e)
	}
	return set, checkSettings(&set, path)
}

func copySettings(s *abi.Settings) abi.Settings {
	c := *s
	c.Retrieval.Roles = append([]string{}, s.Retrieval.Roles...)
	if s.Models.Embed != nil {
		m := *s.Models.Embed
		c.Models.Embed = &m
	}
	return c
}

// checkSettings says what the codec can't see.
func checkSettings(set *abi.Settings, path string) *abi.Error {
	if _, ok := calendar.ParseDuration(set.Retrieval.SessionGap); !ok {
		return failure(abi.CodeInvalidRequest, path+".retrieval.session_gap", "a duration is a number and ms, s, m, h or d, such as 3h")
	}
	for _, r := range set.Retrieval.Roles {
		if r != abi.RoleUser && r != abi.RoleAssistant && r != abi.RoleTool {
			return failure(abi.CodeInvalidRequest, path+".retrieval.roles", "roles that are searched are user, assistant and tool")
		}
	}
	if m := set.Models.Embed; m != nil {
		if m.Model == "" {
			return failure(abi.CodeInvalidRequest, path+".models.embed.model", "a model has an id")
		}
		if m.Dimension < 1 {
			return failure(abi.CodeInvalidRequest, path+".models.embed.dimension", "a model has a dimension of at least 1")
		}
	}
	return nil
}

// regroup sorts all messages anew, since the pause that ends a session has changed.
func (s *Space) regroup() {
	for _, t := range s.order {
		s.relabel(t, nil)
	}
}
