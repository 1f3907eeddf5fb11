package text

import "testing"

// benchTexts are messages of about 60 words.
var benchTexts = []struct{ name, text string }{
	{"english", "Yesterday we finally drove out to the allotment with Marta's trailer, because the old shed had to go before the " +
		"weekend. The roof was worse than I remembered: two beams were rotten, and the gutter came off in my hand. We kept the " +
		"door, the hinges and the green bench; everything else went to the tip in three trips. Could you remind me to book the hall on Friday?"},
	{"chinese", "昨天我们终于借了玛尔塔的拖车去菜园，因为旧棚子周末前必须拆掉。屋顶比我记得的还糟：两根梁已经烂了，排水槽一碰就掉下来。" +
		"门、铰链和绿色的长凳都留着，其他东西分三趟运到垃圾站。你能不能提醒我星期五之前订好会议室？另外王师傅说水管要等到下周三才能来修。"},
	{"japanese", "昨日やっとマルタさんのトレーラーを借りて菜園に行きました。古い小屋は週末までに壊さなければならないからです。屋根は思ったよりひどくて、" +
		"梁が二本腐っていました。ドアとちょうつがいと緑のベンチは残して、あとは三回に分けてごみ処理場に運びました。金曜日までに会議室を予約するのを忘れないように教えてくれますか。"},
	{"korean", "어제 드디어 마르타의 트레일러를 빌려서 텃밭에 갔어요. 낡은 창고를 주말 전에 철거해야 했거든요. 지붕은 생각보다 더 심해서 들보 두 개가 썩어 있었어요. " +
		"문과 경첩, 초록색 벤치는 남겨 두고 나머지는 세 번에 나눠서 쓰레기장으로 옮겼어요. 금요일까지 회의실을 예약하라고 알려 줄 수 있어요?"},
	{"russian", "Вчера мы наконец взяли у Марты прицеп и поехали в сад, потому что старый сарай нужно было снести до выходных. Крыша оказалась хуже, " +
		"чем я помнил: две балки сгнили, а желоб остался у меня в руке. Дверь, петли и зелёную скамейку мы оставили, всё остальное увезли на свалку за три раза. Напомни мне заказать зал в пятницу!"},
	{"mixed", "Please run `go test ./host/...` on node.js 22 and C++17; build 7f3a took 1,480 ms, gpt-4o-mini 95 ms. " +
		"用gRPC重写网关的PR #4821已经合并，see https://example.com/srv/app/config.yml. Zürich, straße, naïve café, don't touch .env!"},
}

func BenchmarkScan(b *testing.B) {
	for _, c := range benchTexts {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(c.text)))
			var s Scanner
			n := 0
			emit := func(t Token) { n += len(t.Term) }
			for b.Loop() {
				s.Scan(c.text, emit)
			}
		})
	}
}

func BenchmarkFold(b *testing.B) {
	for _, c := range benchTexts {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(c.text)))
			var dst []byte
			for b.Loop() {
				dst = Fold(dst[:0], c.text)
			}
		})
	}
}

func BenchmarkSentences(b *testing.B) {
	for _, c := range benchTexts {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(c.text)))
			var dst []Span
			for b.Loop() {
				dst = Sentences(dst[:0], c.text)
			}
		})
	}
}
