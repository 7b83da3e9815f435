package models

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/prforge/prforge/internal/store"
)

// The errors of a question that was not sent, besides endpoint.ErrEnded. Any other error is a call that failed.
var (
	// ErrNotKept says that an offline source has no stored answer.
	ErrNotKept = errors.New("the answer is not kept, and this source is offline")
	// ErrLimit says that the call could exceed the limit of cost.
	ErrLimit = errors.New("the call could pass the limit of cost")
)

// Bill is the limit and the sum of a run's costs, in US dollars.
//
// The store books the maximum cost of an attempt before it is sent. The booking stays until an answer reports its
// usage, or the endpoint refuses the attempt: an attempt without an answer may still be billed. The zero value has no
// limit and stores nothing.
type Bill struct {
	limit   float64 // 0 for none
	answers *store.Shard

	mu              sync.Mutex
	spent, reserved float64
	stopped         bool
	freed           chan struct{} // closed when a reservation ends; nil where nobody waits
}

// NewBill makes a bill with a limit, 0 for none, and what is already spent.
func NewBill(answers *store.Shard, limit, spent float64) *Bill {
	return &Bill{limit: limit, spent: spent, answers: answers}
}

// Now returns what was spent, and whether a call was refused.
func (b *Bill) Now() (spent float64, stopped bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spent, b.stopped
}

// reserve admits an attempt that costs at most worst. If it fits only when the attempts under way turn out cheap, it
// waits for them.
func (b *Bill) reserve(ctx context.Context, worst float64) error {
	for {
		b.mu.Lock()
		switch {
		case b.limit == 0 || b.spent+b.reserved+worst <= b.limit:
			b.reserved += worst
			b.mu.Unlock()
			return nil
		case b.spent+worst > b.limit:
			b.stopped = true
			b.mu.Unlock()
			return ErrLimit
		}
		if b.freed == nil {
			b.freed = make(chan struct{})
		}
		freed := b.freed
		b.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Paid counts an amount that an earlier run paid for an answer that is used again.
func (b *Bill) Paid(usd float64) { b.settle(0, usd) }

// settle replaces a reservation by the actual cost.
func (b *Bill) settle(worst, took float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reserved -= worst
	b.spent += took
	if b.freed != nil {
		close(b.freed)
		b.freed = nil
	}
}

// booked is the store's record of a question without an answer, or with attempts that gave none.
type booked struct {
	USD     float64 `json:"usd,omitempty"`
	Failure string  `json:"failure,omitempty"` // of the last attempt
}

// Booked sums what is booked for attempts that gave no answer.
func Booked(answers *store.Shard) (usd float64, err error) {
	keys, err := answers.Keys(store.Failure)
	if err != nil {
		return 0, err
	}
	for _, key := range keys {
		b, _, err := store.Get[booked](answers, store.Failure, key)
		if err != nil {
			return 0, err
		}
		usd += b.USD
	}
	return usd, nil
}

// Unanswered is the error of an offline source for a question without an answer: that of its last call, or ErrNotKept
// without a call.
func Unanswered(answers *store.Shard, key string) error {
	b, _, err := store.Get[booked](answers, store.Failure, key)
	if err != nil {
		return err
	}
	if b.Failure == "" {
		return ErrNotKept
	}
	return fmt.Errorf("%s", b.Failure)
}

// Booking is the account of one question. Its attempts follow one another.
type Booking struct {
	bill *Bill
	key  string
	most float64 // that an attempt may cost
	lost float64 // of attempts that gave no answer, those of earlier runs included
	open float64 // of the attempt under way
}

// Book opens the account of a question whose attempts cost at most worst each.
func (b *Bill) Book(key string, worst float64) (*Booking, error) {
	k := &Booking{bill: b, key: key, most: worst}
	if b.answers == nil {
		return k, nil
	}
	was, _, err := store.Get[booked](b.answers, store.Failure, key)
	k.lost = was.USD
	return k, err
}

// Begin implements endpoint.Account. It fails with ErrLimit if the attempt could exceed the limit.
func (k *Booking) Begin(ctx context.Context) error {
	if err := k.bill.reserve(ctx, k.most); err != nil {
		return err
	}
	k.open = k.most
	if k.most == 0 {
		return nil
	}
	return k.record(booked{USD: k.lost + k.most, Failure: "the call was interrupted"})
}

// try is Begin that never waits.
func (k *Booking) try() error {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	err := k.Begin(ended)
	if errors.Is(err, context.Canceled) {
		return k.bill.stop()
	}
	return err
}

// stop notes that the limit prevented a call.
func (b *Bill) stop() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stopped = true
	return ErrLimit
}

// resume continues the attempt that Begin booked last, maybe in an earlier run.
func (k *Booking) resume() {
	k.lost, k.open = max(0, k.lost-k.most), k.most
	k.bill.resume(k.most)
}

// resume moves an amount from spent to reserved. An attempt of this run is already reserved.
func (b *Bill) resume(usd float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.reserved >= usd {
		return
	}
	b.spent, b.reserved = b.spent-usd, b.reserved+usd
}

// Refused implements endpoint.Account: the attempt cost nothing.
func (k *Booking) Refused(why string) error { return k.end(0, why) }

// Lost implements endpoint.Account: the attempt may have cost the whole booking.
func (k *Booking) Lost(why string) error { return k.end(k.open, why) }

func (k *Booking) end(took float64, why string) error {
	k.bill.settle(k.open, took)
	k.lost, k.open = k.lost+took, 0
	return k.record(booked{USD: k.lost, Failure: why})
}

// Answered ends an attempt with an answer and stores the answer. Without usage figures the whole booking stays.
func (k *Booking) Answered(answers *store.Shard, took float64, said bool, keep func(store.Writer) error) error {
	if !said {
		k.lost, took = k.lost+k.open, k.open
	}
	k.bill.settle(k.open, took)
	k.open = 0
	return answers.Batch(func(b *store.Batch) error {
		if err := keep(b); err != nil || k.bill.answers == nil {
			return err
		}
		if k.lost == 0 {
			return store.Delete(b, store.Failure, k.key)
		}
		return store.Put(b, store.Failure, k.key, booked{USD: k.lost})
	})
}

func (k *Booking) record(b booked) error {
	if k.bill.answers == nil {
		return nil
	}
	return store.Put(k.bill.answers, store.Failure, k.key, b)
}
