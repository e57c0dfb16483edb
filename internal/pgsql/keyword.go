package pgsql

// A keyword is a word that the token-level parts of the package know.
type keyword uint8

const (
	kwNone keyword = iota
	kwAbort
	kwAll
	kwAlter
	kwAnalyze
	kwAnd
	kwAny
	kwAs
	kwAsc
	kwAtomic
	kwAuthorization
	kwBegin
	kwBetween
	kwBy
	kwCall
	kwCase
	kwCast
	kwCharacteristics
	kwClose
	kwCluster
	kwCommit
	kwCommitted
	kwConflict
	kwConstraints
	kwCopy
	kwCreate
	kwCross
	kwCursor
	kwDeallocate
	kwDeclare
	kwDefault
	kwDeferrable
	kwDelete
	kwDesc
	kwDiscard
	kwDistinct
	kwDo
	kwDrop
	kwElse
	kwEnd
	kwExcept
	kwExecute
	kwExists
	kwExplain
	kwFetch
	kwFor
	kwFrom
	kwFull
	kwGroup
	kwHaving
	kwILike
	kwIn
	kwInner
	kwInsert
	kwIntersect
	kwInterval
	kwInto
	kwIs
	kwIsolation
	kwJoin
	kwKey
	kwLeft
	kwLevel
	kwLike
	kwLimit
	kwListen
	kwLocal
	kwLock
	kwLocked
	kwMatched
	kwMerge
	kwMode
	kwMove
	kwNames
	kwNatural
	kwNo
	kwNoWait
	kwNot
	kwNothing
	kwNotify
	kwNull
	kwOf
	kwOffset
	kwOn
	kwOnly
	kwOr
	kwOrder
	kwOuter
	kwPrepare
	kwRead
	kwRelease
	kwRepeatable
	kwReset
	kwReturning
	kwRight
	kwRole
	kwRollback
	kwRule
	kwSavepoint
	kwSelect
	kwSerializable
	kwSession
	kwSet
	kwShare
	kwShow
	kwSkip
	kwSome
	kwStart
	kwSystem
	kwTable
	kwTemp
	kwThen
	kwTime
	kwTo
	kwTransaction
	kwTruncate
	kwUncommitted
	kwUnion
	kwUnlisten
	kwUpdate
	kwUsing
	kwValues
	kwWhen
	kwWhere
	kwWindow
	kwWith
	kwWork
	kwWrite
	kwZone
)

var keywords = map[string]keyword{
	"abort":           kwAbort,
	"all":             kwAll,
	"alter":           kwAlter,
	"analyze":         kwAnalyze,
	"and":             kwAnd,
	"any":             kwAny,
	"as":              kwAs,
	"asc":             kwAsc,
	"atomic":          kwAtomic,
	"authorization":   kwAuthorization,
	"begin":           kwBegin,
	"between":         kwBetween,
	"by":              kwBy,
	"call":            kwCall,
	"case":            kwCase,
	"cast":            kwCast,
	"characteristics": kwCharacteristics,
	"close":           kwClose,
	"cluster":         kwCluster,
	"commit":          kwCommit,
	"committed":       kwCommitted,
	"conflict":        kwConflict,
	"constraints":     kwConstraints,
	"copy":            kwCopy,
	"create":          kwCreate,
	"cross":           kwCross,
	"cursor":          kwCursor,
	"deallocate":      kwDeallocate,
	"declare":         kwDeclare,
	"default":         kwDefault,
	"deferrable":      kwDeferrable,
	"delete":          kwDelete,
	"desc":            kwDesc,
	"discard":         kwDiscard,
	"distinct":        kwDistinct,
	"do":              kwDo,
	"drop":            kwDrop,
	"else":            kwElse,
	"end":             kwEnd,
	"except":          kwExcept,
	"execute":         kwExecute,
	"exists":          kwExists,
	"explain":         kwExplain,
	"fetch":           kwFetch,
	"for":             kwFor,
	"from":            kwFrom,
	"full":            kwFull,
	"group":           kwGroup,
	"having":          kwHaving,
	"ilike":           kwILike,
	"in":              kwIn,
	"inner":           kwInner,
	"insert":          kwInsert,
	"intersect":       kwIntersect,
	"interval":        kwInterval,
	"into":            kwInto,
	"is":              kwIs,
	"isolation":       kwIsolation,
	"join":            kwJoin,
	"key":             kwKey,
	"left":            kwLeft,
	"level":           kwLevel,
	"like":            kwLike,
	"limit":           kwLimit,
	"listen":          kwListen,
	"local":           kwLocal,
	"lock":            kwLock,
	"locked":          kwLocked,
	"matched":         kwMatched,
	"merge":           kwMerge,
	"mode":            kwMode,
	"move":            kwMove,
	"names":           kwNames,
	"natural":         kwNatural,
	"no":              kwNo,
	"nowait":          kwNoWait,
	"not":             kwNot,
	"nothing":         kwNothing,
	"notify":          kwNotify,
	"null":            kwNull,
	"of":              kwOf,
	"offset":          kwOffset,
	"on":              kwOn,
	"only":            kwOnly,
	"or":              kwOr,
	"order":           kwOrder,
	"outer":           kwOuter,
	"prepare":         kwPrepare,
	"read":            kwRead,
	"release":         kwRelease,
	"repeatable":      kwRepeatable,
	"reset":           kwReset,
	"returning":       kwReturning,
	"right":           kwRight,
	"role":            kwRole,
	"rollback":        kwRollback,
	"rule":            kwRule,
	"savepoint":       kwSavepoint,
	"select":          kwSelect,
	"serializable":    kwSerializable,
	"session":         kwSession,
	"set":             kwSet,
	"share":           kwShare,
	"show":            kwShow,
	"skip":            kwSkip,
	"some":            kwSome,
	"start":           kwStart,
	"system":          kwSystem,
	"table":           kwTable,
	"temp":            kwTemp,
	"then":            kwThen,
	"time":            kwTime,
	"to":              kwTo,
	"transaction":     kwTransaction,
	"truncate":        kwTruncate,
	"uncommitted":     kwUncommitted,
	"union":           kwUnion,
	"unlisten":        kwUnlisten,
	"update":          kwUpdate,
	"using":           kwUsing,
	"values":          kwValues,
	"when":            kwWhen,
	"where":           kwWhere,
	"window":          kwWindow,
	"with":            kwWith,
	"work":            kwWork,
	"write":           kwWrite,
	"zone":            kwZone,
	"analyse":         kwAnalyze,
	"temporary":       kwTemp,
}

// keywordOf returns the keyword that a word is, in any case.
func keywordOf(word string) keyword {
	var buf [16]byte
	if len(word) > len(buf) {
		return kwNone
	}
	for i := range len(word) {
		c := word[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		buf[i] = c
	}
	return keywords[string(buf[:len(word)])]
}

// expecting holds the keywords after which an operand, a name or the body of a
// clause must follow; after every other word a clause may.
var expecting = [...]bool{
	kwAll:           true,
	kwAlter:         true,
	kwAnd:           true,
	kwAny:           true,
	kwAs:            true,
	kwAuthorization: true,
	kwBetween:       true,
	kwBy:            true,
	kwCall:          true,
	kwCase:          true,
	kwCast:          true,
	kwClose:         true,
	kwConflict:      true,
	kwCopy:          true,
	kwCreate:        true,
	kwCross:         true,
	kwDeallocate:    true,
	kwDeclare:       true,
	kwDelete:        true,
	kwDistinct:      true,
	kwDo:            true,
	kwDrop:          true,
	kwElse:          true,
	kwExcept:        true,
	kwExecute:       true,
	kwExists:        true,
	kwExplain:       true,
	kwFetch:         true,
	kwFor:           true,
	kwFrom:          true,
	kwFull:          true,
	kwGroup:         true,
	kwHaving:        true,
	kwILike:         true,
	kwIn:            true,
	kwInner:         true,
	kwInsert:        true,
	kwIntersect:     true,
	kwInterval:      true,
	kwInto:          true,
	kwIs:            true,
	kwIsolation:     true,
	kwJoin:          true,
	kwLeft:          true,
	kwLevel:         true,
	kwLike:          true,
	kwLimit:         true,
	kwListen:        true,
	kwLocal:         true,
	kwMerge:         true,
	kwMove:          true,
	kwNatural:       true,
	kwNot:           true,
	kwNotify:        true,
	kwOf:            true,
	kwOffset:        true,
	kwOn:            true,
	kwOnly:          true,
	kwOr:            true,
	kwOrder:         true,
	kwOuter:         true,
	kwPrepare:       true,
	kwRelease:       true,
	kwReset:         true,
	kwReturning:     true,
	kwRight:         true,
	kwRole:          true,
	kwSavepoint:     true,
	kwSelect:        true,
	kwSession:       true,
	kwSet:           true,
	kwShow:          true,
	kwSkip:          true,
	kwSome:          true,
	kwTable:         true,
	kwThen:          true,
	kwTo:            true,
	kwTransaction:   true,
	kwTruncate:      true,
	kwUnion:         true,
	kwUnlisten:      true,
	kwUpdate:        true,
	kwUsing:         true,
	kwValues:        true,
	kwWhen:          true,
	kwWhere:         true,
	kwWindow:        true,
	kwWith:          true,
	kwZone:          true,
}

func (k keyword) expects() bool { return int(k) < len(expecting) && expecting[k] }

// locking reports whether the keyword can stand before UPDATE or SHARE in a
// locking clause.
func (k keyword) locking() bool { return k == kwFor || k == kwKey }
