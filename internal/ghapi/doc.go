// Package ghapi is the only client of GitHub's API: a transport under go-github and githubv4 that authenticates,
// keeps the limits, retries, reads bodies within bounds, classifies errors and counts the cost.
//
// Neither library is safe on its own: both take an error page at status 200 for data, and go-github blocks itself for
// the best part of an hour on a secondary limit. So the transport reads and checks every body itself and passes on
// only data; anything else becomes a typed error or is retried. There is no second retry layer above it.
package ghapi
