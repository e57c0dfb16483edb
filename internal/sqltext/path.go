package sqltext

import (
	"go/constant"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// cut splits the first step off a path.
func cut(path string) (step, rest string) {
	if path == "" {
		return "", ""
	}
	if path[0] == '[' {
		i := strings.IndexByte(path, ']')
		return path[:i+1], path[i+1:]
	}
	i := 1
	for i < len(path) && !strings.ContainsRune(".[#?!", rune(path[i])) {
		i++
	}
	return path[:i], path[i:]
}

// anyPath is below everything, to ask whether anything is written.
const anyPath = "any"

// below says whether path begins with the steps of prefix, and returns the
// rest. "[*]" in prefix matches any element, unsure.
func below(path, prefix string) (rest string, ok, sure bool) {
	if path == anyPath {
		return path, true, true
	}
	sure = true
	for prefix != "" {
		var a, b string
		a, prefix = cut(prefix)
		b, path = cut(path)
		if a == b && a != "[*]" {
			continue
		}
		if !strings.HasPrefix(a, "[") || !strings.HasPrefix(b, "[") || a == "[]" || b == "[]" || a != "[*]" && b != "[*]" {
			return "", false, false
		}
		sure = false
	}
	return path, true, sure
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// indexStep is the step of an index: its constant, or any.
func indexStep(v ssa.Value) string {
	if n, ok := intConst(v); ok {
		return "[" + strconv.FormatInt(n, 10) + "]"
	}
	return "[*]"
}

func intConst(v ssa.Value) (int64, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(c.Value)
}

func fieldStep(t types.Type, i int) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := coreOf(t).(*types.Struct)
	if !ok {
		return "._"
	}
	return "." + s.Field(i).Name()
}

// coreOf is the underlying type, of a type parameter its only one.
func coreOf(t types.Type) types.Type {
	if tp, ok := types.Unalias(t).(*types.TypeParam); ok {
		u, _ := tp.Constraint().Underlying().(*types.Interface)
		if u != nil && u.NumEmbeddeds() == 1 {
			if un, ok := u.EmbeddedType(0).(*types.Union); ok && un.Len() == 1 {
				return un.Term(0).Type().Underlying()
			}
			return u.EmbeddedType(0).Underlying()
		}
	}
	return t.Underlying()
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func isSlice(t types.Type) bool {
	_, ok := coreOf(t).(*types.Slice)
	return ok
}

// isByteSlice also holds for a type parameter, which may be string or []byte.
func isByteSlice(t types.Type) bool {
	s, ok := coreOf(t).(*types.Slice)
	if !ok {
		return false
	}
	b, ok := s.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Byte
}

func isNumeric(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsNumeric|types.IsBoolean) != 0
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// isTextual says whether a parameter of a type, or what it points to, may be a
// text or a part of one.
func isTextual(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return isString(t) || isByteSlice(t) || isNumeric(t) || types.IsInterface(t)
}

// onlyFields says whether a path may be shown below a parameter.
func onlyFields(path string) bool { return !strings.ContainsAny(path, "[#?!") }
