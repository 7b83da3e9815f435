// Package fakegithub is a GitHub that runs inside the process: GraphQL, REST and
// git over a small world that we wrote. Tests start it for its faults and odd
// repositories; "prforge demo" starts it so that the whole pipeline runs without
// a token or a network. Nothing but a loopback socket and the git program is
// needed.
//
// It answers as GitHub does, within what prforge asks: a GraphQL field that it
// does not know is an error, never null; REST endpoints that it does not know
// are 404 and listed by Unmatched. The git repositories are real, and their
// commit ids never change, because authors and dates are part of the world.
//
// # Worlds
//
// A world is a folder of txtar files:
//
//	world.txtar             accounts:  bots: a, b    mannequins: c
//	OWNER/NAME/repo.txtar   a repository and its first tree
//	OWNER/NAME/12.txtar     pull request 12
//
// Each starts with "key: value" lines. Those of a repository: id, stars,
// license, language, description, created, default-branch, branches, access
// (public, private, hidden, blocked, taken-down), former-names, archived, fork.
// Its files are the first commit; without any it is an empty repository.
//
// Those of a pull request: title, author, created, closed, by (who merged it),
// method (squash, merge, rebase, closed, open), labels, base, head, draft,
// fork, edited (when the description became what it is; "first body" is what it
// was before), purged (true: GitHub removed its commits; branch: git lost them
// with the branch that they were merged into), crlf (bodies have CRLF). Dates are
// days, or times in RFC 3339. The head starts at what its base branch was when
// it was created. Its sections are:
//
//	-- body --                  the description
//	-- first body --            what it was before it was edited
//	-- 1 write PATH --          commit 1 writes a whole file
//	-- 1 edit PATH --           ... edits one: hunks of "@@", " ", "-", "+" lines without numbers
//	-- 1 rename OLD -> NEW --   ... renames one, with hunks if it changes
//	-- 1 delete PATH --
//	-- 2 message --             the message of commit 2, else the title
//	-- 2 merge --               commit 2 first merges the base branch
//	-- 2 force --               commit 2 replaces those before it
//	-- talk --                  what happened, see below
//
// The lines that a hunk takes away, with its context, must occur once in the
// file. Merging a pull request, or the base into it, makes its edits again on
// the newer tree, so a conflict is an error of the world. A path may have flags
// before it: "[crlf] notes.txt", also noeol, exec, link, base64 and numbered
// (its line 840 times, with {n} as the number).
//
// In the talk every line that starts with "%" is an event and what follows is
// its text:
//
//	%review LOGIN STATE            APPROVED, CHANGES_REQUESTED, COMMENTED or PENDING
//	%line PATH SIDE TEXT           a thread of that review, on the line that holds TEXT
//	%line PATH SIDE TEXT ... TEXT  on several lines
//	%file PATH                     on a whole file
//	%reply LOGIN                   answers the thread above
//	%comment LOGIN                 in the conversation
//	%dismiss LOGIN                 dismisses the review above
//	%push                          the next commit arrives
//
// SIDE is + for an added line, - for a deleted one, = for any other line of the
// new file. The text is looked for in the diff as it is at that moment; where
// the line is in the final diff, if anywhere, is worked out. Options stand
// in brackets: %line[resolved=ana,minimized=spam,edited,liked=ben]. The login ghost is a
// deleted account. Events are spread evenly over the life of the pull request;
// commits without a %push are there from the start.
package fakegithub
