package load

import (
	"bytes"
	"go/ast"
	"go/token"
)

// blankBodies overwrites the bodies of the functions declared in a Go file
// with blanks, in place, and keeps line ends, so that every position outside
// of them stays what it is. A parser is done with such a file in half the
// time. The file must be one that parses: of others, anything may be blanked.
//
// It knows strings, comments and brackets and no more of Go. A declaration
// that it is not sure about keeps its body.
func blankBodies(src []byte) {
	for i := 0; i < len(src); {
		switch c := src[i]; {
		case c == '(' || c == '[' || c == '{':
			i = skipBrackets(src, i)
		case startsFunc(src, i):
			open := findBody(src, i+len("func"))
			if open == len(src) || src[open] != '{' {
				i = open
				continue
			}
			end := skipBrackets(src, open)
			for j := open + 1; j < end-1; j++ {
				if src[j] != '\n' && src[j] != '\r' {
					src[j] = ' '
				}
			}
			i = end
		default:
			i = skipToken(src, i)
		}
	}
}

// startsFunc reports whether a func keyword stands at i, first on its line.
// At the top level of a file that is the beginning of a declaration, or of a
// function literal in the initializer of a variable, whose body needs no
// types either.
func startsFunc(src []byte, i int) bool {
	if src[i] != 'f' || i > 0 && src[i-1] != '\n' || !bytes.HasPrefix(src[i:], []byte("func")) {
		return false
	}
	after := i + len("func")
	return after < len(src) && !isLetter(src[after])
}

// findBody gives the offset of the body's brace for a function whose
// signature starts at i. If there is none it gives the end of the line, where
// the declaration ends.
func findBody(src []byte, i int) int {
	word := "" // the word before i
	for i < len(src) {
		switch c := src[i]; {
		case c == '\n':
			return i
		case c == '{' && word != "struct" && word != "interface":
			return i
		case c == '{' || c == '(' || c == '[':
			i = skipBrackets(src, i)
			word = ""
		case isLetter(c):
			end := i
			for end < len(src) && isLetter(src[end]) {
				end++
			}
			word = string(src[i:end])
			i = end
		case c == ' ' || c == '\t' || c == '\r':
			i++
		default:
			i = skipToken(src, i)
			word = ""
		}
	}
	return len(src)
}

// skipBrackets gives the offset behind the bracket that closes the one at i.
func skipBrackets(src []byte, i int) int {
	depth := 0
	for i < len(src) {
		switch src[i] {
		case '(', '[', '{':
			depth++
			i++
		case ')', ']', '}':
			depth--
			i++
			if depth == 0 {
				return i
			}
		default:
			i = skipToken(src, i)
		}
	}
	return len(src)
}

// skipToken gives the offset behind the string, rune or comment that starts
// at i, or behind the byte at i.
func skipToken(src []byte, i int) int {
	switch c := src[i]; c {
	case '"', '\'':
		for i++; i < len(src); i++ {
			switch src[i] {
			case '\\':
				i++
			case c, '\n':
				return i + 1
			}
		}
		return len(src)
	case '`':
		if n := bytes.IndexByte(src[i+1:], '`'); n >= 0 {
			return i + 1 + n + 1
		}
		return len(src)
	case '/':
		if bytes.HasPrefix(src[i:], []byte("//")) {
			if n := bytes.IndexByte(src[i:], '\n'); n >= 0 {
				return i + n
			}
			return len(src)
		}
		if bytes.HasPrefix(src[i:], []byte("/*")) {
			if n := bytes.Index(src[i+2:], []byte("*/")); n >= 0 {
				return i + 2 + n + 2
			}
			return len(src)
		}
	}
	return i + 1
}

// isLetter reports whether c can be part of a word.
func isLetter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= 0x80
}

// emptyLiterals removes the elements of composite literals from the
// initializers of package variables. They say nothing about the type of the
// variable, except the length of an array [...]T.
func emptyLiterals(file *ast.File) {
	for _, decl := range file.Decls {
		vars, ok := decl.(*ast.GenDecl)
		if !ok || vars.Tok != token.VAR {
			continue
		}
		ast.Inspect(vars, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			if array, ok := lit.Type.(*ast.ArrayType); ok {
				if _, open := array.Len.(*ast.Ellipsis); open {
					return true
				}
			}
			lit.Elts = nil
			return false
		})
	}
}
