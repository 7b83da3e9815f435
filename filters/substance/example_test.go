package substance_test

import (
	"fmt"

	"github.com/prforge/prforge/filters/authorship"
	"github.com/prforge/prforge/filters/substance"
	"github.com/prforge/prforge/internal/model"
)

func ExampleLabel() {
	registry, err := authorship.New(authorship.Options{})
	if err != nil {
		panic(err)
	}
	author, reviewer := model.Account{Login: "ada", Type: model.User}, model.Account{Login: "grace", Type: model.User}
	thread := func(id int64, body string) model.Thread {
		return model.Thread{Comments: []model.Comment{{ID: id, State: "SUBMITTED", Author: reviewer, Body: body}}}
	}
	pull := &model.PullRequest{Author: author, Threads: []model.Thread{
		thread(1, "`close()` is never called when `open()` fails, so the file handle leaks here."),
		thread(2, "Nice, I really like how `close()` came out, thanks a lot for doing it!"),
	}}
	for _, c := range substance.Label(pull, registry, substance.DefaultOptions()).Comments {
		fmt.Println(c.CommentID, c.Reason, c.Substantive)
	}
	// Output:
	// 1  true
	// 2 only_praise false
}
