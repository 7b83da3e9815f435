# prforge. 'make help' lists what there is.

GO ?= go
FUZZTIME ?= 10m
export CGO_ENABLED = 1

.DEFAULT_GOAL := build
.PHONY: build demo test test-all check fmt vet lint race mutants bench fuzz node golden clean help

build: ## build bin/prforge
	$(GO) build -trimpath -o bin/prforge ./cmd/prforge

demo: build ## the whole pipeline on the built-in sample, into out/demo: no token, no network
	@rm -rf out/demo out/demo-*
	bin/prforge demo -o out/demo

# What takes long (a Slurm that loses a node, builds killed at many moments,
# scripts that fight their sandbox) asks testing.Short and runs in test-all alone.
# The two longest packages begin first, so that no core waits for them at the end.
LONG := ./cmd/prforge/internal/cli ./stages/review
# One package more than there are cores, since some wait for a browser; and many
# short runs, for which fewer collections of garbage cost no memory worth the name.
PACKAGES := $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
test test-all: export GOGC := 400
test: node ## the tests but for the few long ones: about three minutes on two idle cores
	$(GO) test -short -p $(PACKAGES) -timeout 30m $(LONG) ./...

test-all: node ## all tests
	$(GO) test -p $(PACKAGES) -timeout 30m $(LONG) ./...

check: fmt vet lint test-all race demo ## what CI runs: format, vet, lint, all tests, the race detector, the demo, verify
	bin/prforge verify out/demo

fmt: ## say which files gofmt would change
	@bad=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$bad" || { echo "gofmt would change:"; echo "$$bad"; exit 1; }

vet: ## go vet
	$(GO) vet ./...

lint: ## golangci-lint with .golangci.yml; built from internal/tools/go.mod, nothing to install
	@$(GO) build -modfile internal/tools/go.mod -o bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	bin/golangci-lint run ./...

# The race detector is for the packages whose own code runs concurrently.
RACY := ./pipeline ./collectors ./collectors/exchange ./collectors/github ./collectors/gitsource ./collectors/models/... \
	./internal/store ./internal/ghapi ./internal/memo ./artifacts/...
race: node
	$(GO) test -race -short -timeout 30m $(RACY)

mutants: ## break a line at a time and ask whether the package's own tests notice; floors in internal/mutants
	$(GO) run ./internal/mutants $(MUTANTS)

bench: build ## speed and memory; see docs/benchmarks.md
	$(GO) test -run '^$$' -bench . -benchmem -timeout 2h ./...

fuzz: ## every fuzz target for FUZZTIME (10m)
	@for f in $$(grep -rl '^func Fuzz' --include='*_test.go' .); do \
		for name in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/p' $$f); do \
			echo "$$name in $$(dirname $$f)"; \
			$(GO) test -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x -parallel 1 ./$$(dirname $$f) || exit 1; \
		done; \
	done

golden: ## write golden files; read the difference before you commit it
	$(GO) test $$(grep -rlE 'flag\.Bool\("update"' --include='*_test.go' . | xargs -n1 dirname | sort -u) -run '^TestGolden' -update

# The packages of independent readers that some tests compare us with. Where npm
# is missing those tests say that they were skipped.
NODE_DIRS := $(dir $(shell find . -name package-lock.json -not -path '*/node_modules/*'))
node: $(addsuffix node_modules/.installed,$(NODE_DIRS))

%/node_modules/.installed: %/package-lock.json
	@if command -v npm >/dev/null 2>&1; then \
		(cd $* && npm ci --no-audit --no-fund --silent && touch node_modules/.installed) || echo "npm ci failed in $*: its tests will be skipped"; \
	else echo "npm is missing: the tests that need $* will be skipped"; fi

clean: ## remove what was built
	rm -rf bin out

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
