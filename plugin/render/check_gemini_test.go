package render

import "strconv"

func itoa(i int) string { return strconv.Itoa(i) }

// checkGemini follows Google's reference of generateContent (Content, Part, FunctionCall, FunctionResponse, Blob,
// FileData), its pages on function calling and thought signatures, and what the service answers: "Please ensure that
// function call turn comes immediately after a user turn or after a function response turn", "Please ensure that function
// response turn comes immediately after a function call turn", "Please ensure that the number of function response parts
// is equal to the number of function call parts of the function call turn", "Name cannot be empty".
func checkGemini(f *faults, doc object) {
	f.keys(doc, "request", "system_instruction", "contents")
	if v, ok := doc["system_instruction"]; ok {
		o, _ := v.(object)
		f.keys(o, "system_instruction", "parts")
		parts := f.list(o["parts"], "system_instruction.parts")
		if len(parts) == 0 {
			f.add("system_instruction: no parts")
		}
		for i, p := range parts {
			f.keys(p, "system_instruction", "text")
			f.said(p["text"], "system_instruction.parts["+itoa(i)+"]")
		}
	}
	contents := f.list(doc["contents"], "contents")
	before := ""
	answered := false // the content before is a function response turn
	var waiting []string
	for i, c := range contents {
		where := "contents[" + itoa(i) + "]"
		f.keys(c, where, "role", "parts")
		role, _ := c["role"].(string)
		if role != "user" && role != "model" {
			f.add("%s: role %q", where, role)
		}
		if i == 0 && role != "user" {
			f.add("%s: the first content is not a user's", where)
		}
		if role == before && !answered {
			f.add("%s: roles must alternate", where)
		}
		before = role
		calls, responses := f.geminiParts(c, where, role)
		switch {
		case len(responses) > 0 && len(waiting) == 0:
			f.add("%s: function response turn does not come immediately after a function call turn", where)
		case len(waiting) > 0 && len(responses) == 0:
			f.add("%s: no function response turn", where)
		case len(responses) > len(waiting) || len(responses) < len(waiting) && i < len(contents)-1:
			f.add("%s: the number of function response parts is %d, of calls %d", where, len(responses), len(waiting))
		case len(responses) == len(waiting):
			for j := range responses {
				if responses[j] != waiting[j] {
					f.add("%s: response of %s to a call of %s", where, responses[j], waiting[j])
				}
			}
		}
		answered = len(responses) > 0
		waiting = calls
	}
}

func (f *faults) geminiParts(c object, where, role string) (calls, responses []string) {
	parts := f.list(c["parts"], where+".parts")
	if len(parts) == 0 {
		f.add("%s: no parts", where)
	}
	others := false
	for i, p := range parts {
		at := where + ".parts[" + itoa(i) + "]"
		kinds := 0
		for k, v := range p {
			o, _ := v.(object)
			kinds++
			if k != "functionResponse" {
				others = true
			}
			switch k {
			case "text":
				f.said(v, at)
			case "thoughtSignature":
				kinds--
				if s, _ := v.(string); s == "" || role != "model" {
					f.add("%s: a signature of the %s", at, role)
				}
			case "functionCall":
				f.keys(o, at, "name", "args")
				name, _ := o["name"].(string)
				if _, ok := o["args"].(object); !ok || role != "model" || !geminiNamePattern.MatchString(name) {
					f.add("%s: call of name %q by the %s", at, name, role)
				}
				calls = append(calls, name)
			case "functionResponse":
				f.keys(o, at, "name", "response")
				name, _ := o["name"].(string)
				r, ok := o["response"].(object)
				if !ok || len(r) != 1 || role != "user" {
					f.add("%s: response of %q", at, name)
				}
				responses = append(responses, name)
			case "inlineData":
				f.keys(o, at, "mimeType", "data")
				mime, _ := o["mimeType"].(string)
				data, _ := o["data"].(string)
				f.image(mime, data, at, "image/png", "image/jpeg", "image/webp", "image/heic", "image/heif", "application/pdf", "audio/", "video/", "text/")
			case "fileData":
				f.keys(o, at, "mimeType", "fileUri")
				f.said(o["mimeType"], at)
				f.address(o["fileUri"], at)
			default:
				f.add("%s: %s", at, k)
			}
		}
		if kinds != 1 {
			f.add("%s: a part has exactly one kind of data", at)
		}
	}
	if len(responses) > 0 && others {
		f.add("%s: a function response turn has only function responses", where)
	}
	return calls, responses
}
