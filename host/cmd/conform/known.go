package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// knownList is the list of known failures by road. Each line of its file is
// road, file:line and the reason; # begins a comment; the road * is all roads.
type knownList map[string]map[string]string

const everyRoad = "*"

// readKnown reads the list. A file that is not there is an empty list.
func readKnown(name string) (knownList, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list := knownList{}
	number := 0
	for line := range strings.SplitSeq(string(data), "\n") {
		number++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		road, rest, _ := strings.Cut(line, " ")
		place, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
		if _, _, ok := cutPlace(place); !ok || strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("%s:%d: a line is: road file:line reason", name, number)
		}
		if list[road] == nil {
			list[road] = map[string]string{}
		}
		if _, twice := list[road][place]; twice {
			return nil, fmt.Errorf("%s:%d: %s is listed twice", name, number, place)
		}
		list[road][place] = strings.TrimSpace(reason)
	}
	return list, nil
}

func cutPlace(place string) (file string, line int, ok bool) {
	file, number, ok := strings.Cut(place, ":")
	line, err := strconv.Atoi(number)
	return file, line, ok && err == nil && file != "" && line > 0
}

// of gives the reasons for the cases that fail on a road.
func (l knownList) of(road string) map[string]string {
	all := map[string]string{}
	for _, r := range []string{everyRoad, road} {
		for place, reason := range l[r] {
			all[place] = reason
		}
	}
	return all
}
