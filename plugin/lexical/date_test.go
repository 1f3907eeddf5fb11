package lexical

import "testing"

func TestNamedDate(t *testing.T) {
	for question, want := range map[string]date{
		"what happened on 8 May 2023?":           {2023, 5, 8},
		"what happened on May 8th, 2023?":        {2023, 5, 8},
		"the 8th of May":                         {0, 5, 8},
		"on 8 May":                               {0, 5, 8},
		"in May":                                 {0, 5, 0},
		"May I ask what happened?":               {},
		"may I ask what happened?":               {},
		"may 8":                                  {0, 5, 8},
		"did they march to the hall":             {},
		"in March 2024":                          {2024, 3, 0},
		"in 2024":                                {},
		"on 2023-05-08":                          {2023, 5, 8},
		"on 2023/5/8":                            {2023, 5, 8},
		"on 2023-13-08":                          {},
		"Sept 3":                                 {0, 9, 3},
		"2023年5月8日我们说了什么":                        {2023, 5, 8},
		"5月8号说了什么":                               {0, 5, 8},
		"5月说了什么":                                 {0, 5, 0},
		"五月八日说了什么":                               {0, 5, 8},
		"十二月二十五日":                                {0, 12, 25},
		"三十一号":                                   {},
		"13月":                                    {},
		"what did 12 people do":                  {},
		"":                                       {},
		"99999999999999999999999 May":            {0, 5, 0},
		"between 3 April and 9 June, as of 2022": {2022, 4, 3},
	} {
		if got := namedDate(question); got != want {
			t.Errorf("%q names %v, want %v", question, got, want)
		}
	}
}

func TestAskingForATime(t *testing.T) {
	for question, want := range map[string]bool{
		"When did it start?":      true,
		"what date was it":        true,
		"How long did it take?":   true,
		"你们什么时候见面的？":              true,
		"哪一天下雨":                   true,
		"What did he say?":        false,
		"the whenever clause":     false,
		"Where is the old piano?": false,
	} {
		if got := Compile(question).asksWhen; got != want {
			t.Errorf("%q asks for a time: %v, want %v", question, got, want)
		}
	}
}

func TestPackedDatesMatch(t *testing.T) {
	p := packDate(2023, 5, 8)
	if unpackDate(p) != (date{2023, 5, 8}) {
		t.Fatalf("unpacked %v", unpackDate(p))
	}
	if packDate(2023, 13, 1) != 0 || packDate(0, 0, 0) != 0 {
		t.Error("a date out of range was kept")
	}
	if n := (date{2023, 5, 9}).matches(p); n != 2 {
		t.Errorf("%d parts match, want 2", n)
	}
	if (date{0, 5, 8}).matches(0) != 0 || (date{0, 5, 0}).covers(0) {
		t.Error("a message without a date matches one")
	}
}
