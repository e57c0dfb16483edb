package dbapi

// scany is the table of scany, https://pkg.go.dev/github.com/georgysavva/scany/v2.
// Select and Get run a statement and read all rows or exactly one.
func scany() *Library {
	lib := &Library{
		Name:     "scany",
		Packages: []string{"github.com/georgysavva/scany/..."},
		Style:    "$",
	}
	for _, root := range []string{"github.com/georgysavva/scany", "github.com/georgysavva/scany/v2"} {
		for _, pkg := range []string{root + "/pgxscan", root + "/sqlscan"} {
			lib.Funcs = append(lib.Funcs, join(
				in(pkg,
					f("Get Select", Run, "ctx h dst sql args"),
					f("ScanAll ScanOne", Collect, "dst from"),
					f("ScanRow", Scan, "dst from"),
					f("NewRowScanner", Derive, "h", clause("rowscanner")),
					f("NotFound", TestCode, "from", clause("norows")),
				),
				on("*"+pkg+".API",
					f("Get Select", Run, "api ctx h dst sql args"),
					f("ScanAll ScanOne", Collect, "api dst from"),
					f("ScanRow", Scan, "api dst from"),
					f("NewRowScanner", Derive, "api h", clause("rowscanner")),
				),
			)...)
		}
		dbscan := root + "/dbscan"
		lib.Funcs = append(lib.Funcs, join(
			in(dbscan,
				f("ScanAll ScanOne", Collect, "dst from"),
				f("ScanRow", Scan, "dst from"),
				f("NotFound", TestCode, "from", clause("norows")),
			),
			on("*"+dbscan+".API",
				f("ScanAll ScanOne", Collect, "api dst from"),
				f("ScanRow", Scan, "api dst from"),
			),
			on("*"+dbscan+".RowScanner", f("Scan", Scan, "from dst")),
			on(root+"/pgxscan.Querier", f("Query", Run, "h ctx sql args", rows)),
			on(root+"/sqlscan.Querier", f("QueryContext", Run, "h ctx sql args", rows)),
		)...)
	}
	return lib
}
