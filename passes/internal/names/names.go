// Package names says what columns are about, going by their names, where there
// is nothing else to tell.
package names

import (
	"slices"
	"strings"
)

// Set makes a set of the words of a text.
func Set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// states end the names of columns that say how far a row is.
var states = []string{"status", "state", "phase", "stage"}

// State reports whether a column is by its name the state of its row.
func State(column string) bool {
	column = strings.ToLower(column)
	return slices.ContainsFunc(states, func(s string) bool {
		return column == s || strings.HasSuffix(column, "_"+s) || strings.HasSuffix(column, s) && len(column) < len(s)+9
	})
}

// Fences are names of columns that say which process holds a row.
var Fences = Set("locked_by lock_owner lock_token lock_id lock_holder claimed_by claim_token claim_id leased_by lease_owner lease_token lease_id lease_holder " +
	"reserved_by picked_by running_on executor_id holder holder_id leader leader_id leader_token fencing_token fence_token fence owner_token " +
	"processing_by processed_by_worker worker_token attempt_id run_token")

// holders are names of columns that say who has got a row that one can have.
var holders = Set("owner assignee assignee_id assigned_to buyer buyer_id winner winner_id holder holder_id worker worker_id claimant driver_id courier_id agent_id booking_id")

// notHolders begin the names of columns that say who did something to a row
// that several may do.
var notHolders = []string{"created", "updated", "modified", "revoked", "deleted", "archived", "closed", "cancel"}

// Holder reports whether a column says who has the row.
func Holder(column string) bool {
	column = strings.ToLower(column)
	if slices.ContainsFunc(notHolders, func(w string) bool { return strings.HasPrefix(column, w) }) {
		return false
	}
	return Fences[column] || holders[column] || strings.HasSuffix(column, "_by") || strings.HasSuffix(column, "_by_id")
}
