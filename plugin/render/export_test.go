package render

// Judge is judge, for tests that plan with the engine.
var Judge = judge
