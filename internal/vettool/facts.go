package vettool

import (
	"bufio"
	"bytes"
	"encoding"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/objectpath"

	"github.com/pgtxvet/pgtxvet/internal/check"
)

// A factKey says what a fact is about.
type factKey struct {
	pkg    string          // path
	object objectpath.Path // "" for a fact about the package
	typ    string          // of the fact
}

// factStore holds the facts of all analyzers on one package. Facts from below
// stay encoded until they are asked for.
type factStore struct {
	pkg      *loaded
	direct   map[string]bool // paths of the imported packages
	below    map[factKey][]byte
	own      map[factKey]analysis.Fact
	paths    map[types.Object]objectpath.Path
	pathsFor objectpath.Encoder
}

// readFacts reads the facts of what the package imports.
func readFacts(cfg *unitConfig, p *loaded) (*factStore, error) {
	s := &factStore{
		pkg: p, direct: map[string]bool{}, below: map[factKey][]byte{},
		own: map[factKey]analysis.Fact{}, paths: map[types.Object]objectpath.Path{},
	}
	for _, imp := range p.Types.Imports() {
		s.direct[imp.Path()] = true
		file, ok := cfg.PackageVetx[imp.Path()]
		if !ok {
			continue // unsafe has none
		}
		data, err := mapFile(file)
		if err != nil {
			return nil, fmt.Errorf("facts of %s: %w", imp.Path(), err)
		}
		if err := decodeFacts(data, s.below); err != nil {
			return nil, fmt.Errorf("facts of %s in %s: %w", imp.Path(), file, err)
		}
	}
	return s, nil
}

// view gives one analyzer its facts.
func (s *factStore) view(a *analysis.Analyzer) check.Facts { return &factView{s, a} }

// encode gives what importers of the package are told: its own facts, and from
// below what goes further than to a direct importer.
func (s *factStore) encode() (map[factKey][]byte, error) {
	all := map[factKey][]byte{}
	for key, data := range s.below {
		if key.object != "" && s.far(key) {
			all[key] = data
		}
	}
	for key, fact := range s.own {
		data, err := encodeFact(fact)
		if err != nil {
			return nil, fmt.Errorf("fact %s of package %s: %w", key.typ, key.pkg, err)
		}
		all[key] = data
	}
	return all, nil
}

// A sharing fact is large: it writes itself, and what it reads it does not copy.
type sharing interface {
	encoding.BinaryMarshaler
	// UnmarshalShared decodes the fact, which may keep parts of data.
	UnmarshalShared(data []byte) error
}

func encodeFact(fact analysis.Fact) ([]byte, error) {
	if f, ok := fact.(sharing); ok {
		return f.MarshalBinary()
	}
	var buf bytes.Buffer
	err := gob.NewEncoder(&buf).Encode(fact)
	return buf.Bytes(), err
}

func decodeFact(data []byte, ptr analysis.Fact) error {
	if f, ok := ptr.(sharing); ok {
		return f.UnmarshalShared(data)
	}
	return gob.NewDecoder(bytes.NewReader(data)).Decode(ptr)
}

// far reports whether a fact from below is about something that packages can
// see which do not import its package.
func (s *factStore) far(key factKey) bool {
	obj := s.object(key)
	return obj != nil && check.Visible(obj, false)
}

// object finds what a fact from below is about, nil if nothing here speaks of it.
func (s *factStore) object(key factKey) types.Object {
	pkg := s.pkg.imported[key.pkg]
	if pkg == nil {
		return nil
	}
	obj, err := objectpath.Object(pkg, key.object)
	if err != nil {
		return nil
	}
	return obj
}

// path names an object of a package; false for one that no other package can
// speak of.
func (s *factStore) path(obj types.Object) (objectpath.Path, bool) {
	path, ok := s.paths[obj]
	if !ok {
		path, _ = s.pathsFor.For(obj) // an error is ""
		s.paths[obj] = path
	}
	return path, path != ""
}

// A factView is the [check.Facts] of one pass.
type factView struct {
	*factStore
	a *analysis.Analyzer
}

func (v *factView) ImportObjectFact(obj types.Object, ptr analysis.Fact) bool {
	if obj == nil {
		panic("nil object")
	}
	if obj.Pkg() == nil {
		return false
	}
	if obj.Pkg() != v.pkg.Types && !check.Visible(obj, v.direct[obj.Pkg().Path()]) {
		return false
	}
	path, ok := v.path(obj)
	return ok && v.get(factKey{obj.Pkg().Path(), path, typeName(ptr)}, ptr)
}

// get copies a fact to *ptr.
func (v *factView) get(key factKey, ptr analysis.Fact) bool {
	if fact, ok := v.own[key]; ok {
		reflect.ValueOf(ptr).Elem().Set(reflect.ValueOf(fact).Elem())
		return true
	}
	data, ok := v.below[key]
	return ok && decodeFact(data, ptr) == nil
}

func (v *factView) ExportObjectFact(obj types.Object, fact analysis.Fact) {
	if obj.Pkg() != v.pkg.Types {
		panic(fmt.Sprintf("%s exports a fact about %s, which belongs to another package", v.a, obj))
	}
	if path, ok := v.path(obj); ok {
		v.own[factKey{obj.Pkg().Path(), path, typeName(fact)}] = fact
	}
}

func (v *factView) AllObjectFacts() []analysis.ObjectFact {
	var all []analysis.ObjectFact
	v.each(func(key factKey, fact analysis.Fact) {
		if key.object == "" {
			return
		}
		obj := v.object(key)
		if key.pkg == v.pkg.Types.Path() {
			obj, _ = objectpath.Object(v.pkg.Types, key.object)
		}
		if obj != nil && (obj.Pkg() == v.pkg.Types || check.Visible(obj, v.direct[key.pkg])) {
			all = append(all, analysis.ObjectFact{Object: obj, Fact: fact})
		}
	})
	return all
}

func (v *factView) ImportPackageFact(pkg *types.Package, ptr analysis.Fact) bool {
	if pkg == nil {
		panic("nil package")
	}
	return v.get(factKey{pkg: pkg.Path(), typ: typeName(ptr)}, ptr)
}

func (v *factView) ExportPackageFact(fact analysis.Fact) {
	v.own[factKey{pkg: v.pkg.Types.Path(), typ: typeName(fact)}] = fact
}

func (v *factView) AllPackageFacts() []analysis.PackageFact {
	var all []analysis.PackageFact
	v.each(func(key factKey, fact analysis.Fact) {
		if key.object != "" {
			return
		}
		pkg := v.pkg.imported[key.pkg]
		if key.pkg == v.pkg.Types.Path() {
			pkg = v.pkg.Types
		}
		all = append(all, analysis.PackageFact{Package: pkg, Fact: fact})
	})
	return all
}

// each calls f for all facts of the analyzer's types.
func (v *factView) each(f func(factKey, analysis.Fact)) {
	for _, example := range v.a.FactTypes {
		name := typeName(example)
		for key, fact := range v.own {
			if key.typ == name {
				f(key, fact)
			}
		}
		for key := range v.below {
			if key.typ == name {
				fact := reflect.New(reflect.TypeOf(example).Elem()).Interface().(analysis.Fact)
				if v.get(key, fact) {
					f(key, fact)
				}
			}
		}
	}
}

// typeName names the type of a fact.
func typeName(fact analysis.Fact) string {
	t := reflect.TypeOf(fact)
	if t.Kind() != reflect.Pointer {
		panic(fmt.Sprintf("invalid fact type: got %T, want a pointer", fact))
	}
	return t.Elem().PkgPath() + "." + t.Elem().Name()
}

// A file of facts is a line that says so, and for each fact four strings with
// their lengths in front: package, object, type, encoded fact.
const factsMagic = "pgtxvet facts 1\n"

var errGarbled = errors.New("not a file of facts that pgtxvet wrote")

// writeFacts writes facts in a fixed order: the file is part of the key under
// which the go command keeps what was found in importers.
func writeFacts(name string, records map[factKey][]byte) error {
	if name == "" {
		return nil
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f) // keeps its first error
	_, _ = w.WriteString(factsMagic)
	for _, key := range slices.SortedFunc(maps.Keys(records), factKey.compare) {
		for _, field := range [][]byte{[]byte(key.pkg), []byte(key.object), []byte(key.typ), records[key]} {
			_, _ = w.Write(binary.AppendUvarint(nil, uint64(len(field))))
			_, _ = w.Write(field)
		}
	}
	return errors.Join(w.Flush(), f.Close())
}

func (k factKey) compare(other factKey) int {
	if c := strings.Compare(k.pkg, other.pkg); c != 0 {
		return c
	}
	if c := strings.Compare(string(k.object), string(other.object)); c != 0 {
		return c
	}
	return strings.Compare(k.typ, other.typ)
}

// decodeFacts adds the facts in a file to the records.
func decodeFacts(data []byte, records map[factKey][]byte) error {
	data, ok := bytes.CutPrefix(data, []byte(factsMagic))
	if !ok {
		return errGarbled
	}
	for len(data) > 0 {
		var fields [4][]byte
		for i := range fields {
			n, size := binary.Uvarint(data)
			if size <= 0 || n > uint64(len(data)-size) {
				return errGarbled
			}
			fields[i], data = data[size:size+int(n)], data[size+int(n):]
		}
		records[factKey{string(fields[0]), objectpath.Path(fields[1]), string(fields[2])}] = fields[3]
	}
	return nil
}
