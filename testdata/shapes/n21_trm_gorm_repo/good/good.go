package good

import (
	"context"
	"errors"
	trmgorm "github.com/avito-tech/go-transaction-manager/drivers/gorm/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2"
	"gorm.io/gorm"
	"net/http"
	"strconv"
)

type Slot struct {
	ID   uint
	Free bool
}

type Slots struct {
	db     *gorm.DB
	getter *trmgorm.CtxGetter
}

func (s *Slots) LockDay(ctx context.Context, day int64) error {
	return s.getter.DefaultTrOrDB(ctx, s.db).WithContext(ctx).Exec("SELECT pg_advisory_xact_lock(?)", day).Error
}

func (s *Slots) Free(ctx context.Context, day int64) (slots []Slot, err error) {
	err = s.getter.DefaultTrOrDB(ctx, s.db).WithContext(ctx).Where("day = ? AND free", day).Find(&slots).Error
	return slots, err
}

func (s *Slots) Take(ctx context.Context, id uint) error {
	return s.getter.DefaultTrOrDB(ctx, s.db).WithContext(ctx).Model(&Slot{}).Where("id = ?", id).Update("free", false).Error
}

type Booking struct {
	slots *Slots
	tm    trm.Manager
}

func (b *Booking) Book(w http.ResponseWriter, r *http.Request) {
	day, _ := strconv.ParseInt(r.FormValue("day"), 10, 64)
	err := b.tm.Do(r.Context(), func(ctx context.Context) error {
		if err := b.slots.LockDay(ctx, day); err != nil {
			return err
		}
		free, err := b.slots.Free(ctx, day)
		if err != nil || len(free) == 0 {
			return errors.Join(err, errors.New("full"))
		}
		return b.slots.Take(ctx, free[0].ID)
	})
	if err != nil {
		http.Error(w, err.Error(), 500)
	}
}
