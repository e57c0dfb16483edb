// Package shop needs no database: directives are held to their form anywhere.
package shop

//pgtxvet:ignore sessionset the pool has one connection
func wellFormed() {}

func faults() {
	_ = 1  //pgtxvet:ignore // want "directive without a rule and a reason; write //pgtxvet:ignore RULE reason"
	_ = 2  //pgtxvet:ignore sessionset // want "directive without a reason silences nothing; write //pgtxvet:ignore sessionset and why"
	_ = 3  //pgtxvet:ignore sesionset the pool has one connection // want `directive for an unknown rule "sesionset"; the rules are lockoutsidetx, sessionset`
	_ = 4  //pgtxvet:ignore the pool has one connection // want `unknown rule "the"`
	_ = 5  // pgtxvet:ignore with a space it is prose
	_ = 6  // pgtxvet:ignore sessionset the pool has one connection // want "with a space after // this is a comment and silences nothing; write //pgtxvet:ignore RULE reason"
	_ = 7  // pgtxvet:ignore // want "with a space after // this is a comment"
	_ = 8  //pgtxvet:disable sessionset // want "there is no directive //pgtxvet:disable; write //pgtxvet:ignore RULE reason"
	_ = 9  //pgtxvet:ignore sessionset,lockoutsidetx // want "write //pgtxvet:ignore sessionset,lockoutsidetx and why"
	_ = 10 //pgtxvet:ignore sessionset,sesionset one of them // want `unknown rule "sesionset"`
	_ = 11 //pgtxvet:ignore sessionset,lockoutsidetx the pool has one connection
	_ = 12 // see pgtxvet:ignore sessionset
}
