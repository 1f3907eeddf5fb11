package main

import (
	"strings"

	"github.com/ctxplan/ctxplan/abi"
)

// scope narrows a plan to what the flags acl and labels say; nil when neither
// was given. An empty acl names nobody, who sees only what everybody may see.
func (o *planOptions) scope() (*abi.Scope, error) {
	acl, labels := given(o.set, "acl"), given(o.set, "labels")
	if !acl && !labels {
		return nil, nil
	}
	s := &abi.Scope{ACL: abi.Names{Given: acl}}
	if o.acl != "" {
		s.ACL.List = strings.Split(o.acl, ",")
	}
	for _, name := range s.ACL.List {
		if name == "" {
			return nil, usageError("--acl has an empty name")
		}
	}
	if !labels {
		return s, nil
	}
	s.Labels = map[string]string{}
	for pair := range strings.SplitSeq(o.labels, ",") {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" {
			return nil, usageError("--labels is KEY=VALUE[,KEY=VALUE], not " + quote(pair))
		}
		if _, twice := s.Labels[key]; twice {
			return nil, usageError("--labels has " + quote(key) + " twice")
		}
		s.Labels[key] = value
	}
	return s, nil
}
