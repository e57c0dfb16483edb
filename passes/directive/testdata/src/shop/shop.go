// Package shop needs no database: directives are held to their form anywhere.
package shop

//pgtxvet:ignore sessionset the pool has one connection
func wellFormed() {}

func faults() {
	_ = 1 //pgtxvet:ignore // want "directive without a rule and a reason; write //pgtxvet:ignore RULE reason"
	_ = 2 //pgtxvet:ignore sessionset // want "directive without a reason silences nothing; write //pgtxvet:ignore sessionset and why"
	_ = 3 //pgtxvet:ignore sesionset the pool has one connection // want `directive for an unknown rule "sesionset"; the rules are lockoutsidetx, sessionset`
	_ = 4 //pgtxvet:ignore the pool has one connection // want `unknown rule "the"`
	_ = 5 // pgtxvet:ignore with a space it is a comment
}
