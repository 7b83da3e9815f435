# prforge with git, which it needs to read repositories.
#   docker build -t prforge . && docker run --rm -v "$PWD:/work" -e GITHUB_TOKEN prforge build -c prforge.yaml -o dataset
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN make build

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends git ca-certificates && rm -rf /var/lib/apt/lists/* \
	&& useradd --create-home prforge
COPY --from=build /src/bin/prforge /usr/local/bin/prforge
USER prforge
WORKDIR /work
ENTRYPOINT ["prforge"]
