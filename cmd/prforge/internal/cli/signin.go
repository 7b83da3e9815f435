package cli

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/prforge/prforge/cmd/prforge/internal/cli/pauses"
	"github.com/prforge/prforge/cmd/prforge/internal/cli/show"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
)

// site has the addresses of one GitHub.
type site struct{ api, graphql, server string }

// site reads the addresses that GitHub Actions sets, too.
func (a *app) site() (site, error) {
	s := site{api: a.getenv("GITHUB_API_URL"), graphql: a.getenv("GITHUB_GRAPHQL_URL"),
		server: a.getenv("GITHUB_SERVER_URL")}
	defaults := ghapi.DefaultOptions()
	if s.api == "" {
		s.api = defaults.APIURL
	}
	if s.graphql == "" {
		s.graphql = defaults.GraphQLURL
	}
	if s.server == "" {
		s.server = "https://github.com"
	}
	for name, v := range map[string]string{"GITHUB_API_URL": s.api, "GITHUB_GRAPHQL_URL": s.graphql,
		"GITHUB_SERVER_URL": s.server} {
		if u, err := url.Parse(v); err != nil || u.Host == "" || u.User != nil ||
			(u.Scheme != "https" && u.Scheme != "http") {
			return site{}, usagef("%s is not the address of a server", name)
		}
	}
	s.server = strings.TrimSuffix(s.server, "/")
	return s, nil
}

// cloneURL is where git fetches a repository from.
func (s site) cloneURL(r model.RepoRef) string { return s.server + "/" + r.String() + ".git" }

// connect makes a client of GitHub's API whose requests progress shows. It waits for the pauses of an earlier run.
func (a *app) connect(ctx context.Context, cfg *config.Config, kept pauses.Store,
	progress pipeline.Progress) (*ghapi.Client, error) {
	s, err := a.site()
	if err != nil {
		return nil, err
	}
	o := ghapi.DefaultOptions()
	o.APIURL, o.GraphQLURL, o.Log = s.api, s.graphql, a.log
	o.UserAgent = "prforge/" + buildVersion()
	o.Held = kept.Read(ctx)
	o.OnWait = func(w ghapi.Wait) {
		progress.Waiting(w.Reason, w.Until)
		kept.Keep(ctx, w)
	}
	if err := a.credentials(ctx, &o, cfg, s); err != nil {
		return nil, err
	}
	client, err := ghapi.New(o)
	if s, ok := progress.(interface{ Asks(func() string) }); ok && err == nil {
		s.Asks(func() string { return asked(client) })
	}
	return client, err
}

// asked shows how many requests GitHub got, and how many are left.
func asked(client *ghapi.Client) string {
	stats, left := client.Stats(), client.Left()
	parts := []string{show.Plural(stats.GraphQL+stats.REST, "request")}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		parts = append(parts, fmt.Sprintf("%s %d left", name, left[name]))
	}
	return strings.Join(parts, " · ")
}

// credentials returns the credentials: an App installation if one is configured, else the user's token.
func (a *app) credentials(ctx context.Context, o *ghapi.Options, cfg *config.Config, s site) (err error) {
	if cfg.GitHubApp.AppID != 0 {
		o.App, err = appOf(cfg)
		return err
	}
	host, err := url.Parse(s.server)
	if err != nil {
		return err
	}
	token, err := ghapi.DiscoverToken(ctx, a.getenv, host.Host)
	if err == nil && token == "" {
		err = collectors.ErrNoToken
	}
	o.Tokens = ghapi.StaticToken(token)
	return err
}

// appOf reads the App installation that the configuration names.
func appOf(cfg *config.Config) (*ghapi.App, error) {
	path := cfg.GitHubApp.PrivateKeyFile
	if !filepath.IsAbs(path) {
		path = filepath.Join(cfg.Dir, path)
	}
	key, err := os.ReadFile(path)
	if err != nil {
		return nil, usagef("github_app.private_key_file: %w", err)
	}
	return &ghapi.App{ID: strconv.FormatInt(cfg.GitHubApp.AppID, 10), Installation: cfg.GitHubApp.InstallationID,
		Key: key}, nil
}
