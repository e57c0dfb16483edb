// Command bad only calls another package, which puts the program together.
package main

import (
	"log"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/x17_main_calls_app/bad/app"
)

func main() {
	if err := app.Run(); err != nil {
		log.Fatal(err)
	}
}
