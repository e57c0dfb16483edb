package dbapi

import "go/types"

// ShapeOf returns the shape that [ExternalShape] finds, or nil.
func ShapeOf(fn *types.Func) *Shape {
	if s := findShape(fn.Origin()); s != nil {
		return s.Shape
	}
	return nil
}

// Unversioned is what paths in shapes are compared as.
func Unversioned(path string) string { return unversioned(path) }
