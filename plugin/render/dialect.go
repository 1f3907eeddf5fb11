package render

import "strings"

// place is where a piece of content stands.
type place uint8

const (
	inUser place = 1 << iota
	inAssistant
	inResult
)

// dialect is what a provider's format can carry.
type dialect struct {
	format string
	// providers are the names under which opaque parts and signatures of this format are known.
	providers []string
	// nameField says that messages have a field for the name of the speaker; else it stands before the text.
	nameField bool
	// inOrder says that blocks stand in plan order, and that no rules of roles hold.
	inOrder bool
	// thoughtsLead says that nothing of the model's thinking may be the end of its message.
	thoughtsLead bool
	// trimsEnd says that the last text of the request must not end in white space when it is the assistant's.
	trimsEnd bool
	// errorField says that a result has a field for failure; else a word stands before its text.
	errorField bool
	// signsParts says that signatures of thinking stand with the part behind it.
	signsParts bool
	// dottedNames says that names of functions may have dots and colons, and begin with a letter or an underscore.
	dottedNames bool
	images      carrier
	files       carrier
	// tags that the texts must not hold.
	tags []string
	// fencesSystem says that system texts stand between tags too.
	fencesSystem bool
	write        func(*conversation) []byte
}

// carrier says which media a format takes, and where.
type carrier struct {
	places place
	// types are media types; one that ends in a slash stands for all that begin with it.
	types []string
	// remote says that an https URL is taken.
	remote bool
	// typed says that a URL needs its media type.
	typed bool
}

var webImages = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}

var pdf = []string{"application/pdf"}

var blockTags = []string{tagPinned, tagRecalled, tagEvidence, tagResults}

func lookup(format string) *dialect {
	switch format {
	case FormatOpenAIChat:
		return &dialect{
			format:    format,
			nameField: true,
			images:    carrier{places: inUser, types: webImages, remote: true},
			files:     carrier{places: inUser, types: pdf},
			tags:      blockTags,
			write:     writeChat,
		}
	case FormatOpenAIResponses:
		return &dialect{
			format:       format,
			providers:    []string{"openai"},
			thoughtsLead: true,
			images:       carrier{places: inUser | inResult, types: webImages, remote: true},
			files:        carrier{places: inUser | inResult, types: pdf, remote: true},
			tags:         blockTags,
			write:        writeResponses,
		}
	case FormatAnthropic:
		return &dialect{
			format:       format,
			providers:    []string{"anthropic"},
			thoughtsLead: true,
			trimsEnd:     true,
			errorField:   true,
			images:       carrier{places: inUser | inResult, types: webImages, remote: true},
			files:        carrier{places: inUser | inResult, types: pdf, remote: true},
			tags:         blockTags,
			write:        writeAnthropic,
		}
	case FormatGemini:
		return &dialect{
			format:      format,
			providers:   []string{"gemini", "google"},
			errorField:  true,
			signsParts:  true,
			dottedNames: true,
			images: carrier{places: inUser | inAssistant, remote: true, typed: true,
				types: []string{"image/jpeg", "image/png", "image/webp", "image/heic", "image/heif"}},
			files: carrier{places: inUser, remote: true, typed: true,
				types: []string{"application/pdf", "audio/", "video/", "text/"}},
			tags:  blockTags,
			write: writeGemini,
		}
	case FormatText:
		return &dialect{
			format:       format,
			inOrder:      true,
			errorField:   true,
			tags:         []string{tagPinned, tagRecalled, tagEvidence, tagResults, tagSystem, tagMessage, tagCall, tagResult},
			fencesSystem: true,
			write:        writeText,
		}
	}
	return nil
}

// owns reports whether parts of this provider are sent back.
func (d *dialect) owns(provider string) bool {
	for _, p := range d.providers {
		if equalFold(provider, p) {
			return true
		}
	}
	return false
}

// takes reports whether the format has a form for this source.
func (c *carrier) takes(m *media) bool {
	if m.url != "" {
		if !c.remote {
			return false
		}
		if m.mime == "" {
			return !c.typed
		}
	}
	for _, t := range c.types {
		if m.mime == t || t[len(t)-1] == '/' && strings.HasPrefix(m.mime, t) {
			return true
		}
	}
	return false
}
