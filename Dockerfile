# docker build --build-arg VERSION=v0.1.0 -t pgtxvet .
# docker run --rm -v "$PWD:/src" -v "$(go env GOMODCACHE):/go/pkg/mod" pgtxvet ./...
#
# The go command is in the image, since pgtxvet asks it for packages and modules.
# The second volume saves it from downloading the modules again.
ARG GO=1.26

FROM golang:${GO}-alpine AS build
ARG VERSION=latest
RUN CGO_ENABLED=0 GOBIN=/out go install -trimpath -ldflags="-s -w" \
	github.com/pgtxvet/pgtxvet/cmd/pgtxvet@${VERSION}

FROM golang:${GO}-alpine
# git is for -since, and for modules that are not public. The sources belong to
# another user than that of the container.
RUN apk add --no-cache git && git config --system --add safe.directory '*'
COPY --from=build /out/pgtxvet /usr/local/bin/pgtxvet
ENV CGO_ENABLED=0
WORKDIR /src
ENTRYPOINT ["pgtxvet"]
