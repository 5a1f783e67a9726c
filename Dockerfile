# The image of master, workers, pipeline and command line. docs/containers.md tells how it is used.
#
#   docker buildx build --platform linux/amd64,linux/arm64 -t registry.example.com/yardmaster:0.1.0 --push .
#
# A test (e2e/cli/image.e2e.ts) follows these steps in a folder, so it understands only what stands here: one command in each
# RUN, paths relative to WORKDIR, and JSON for ENTRYPOINT, CMD and HEALTHCHECK.

FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
# Desktop and browsers are no part of the image.
ENV ELECTRON_SKIP_BINARY_DOWNLOAD=1 PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
RUN npm ci
COPY electron.vite.config.ts tsconfig.base.json tsconfig.json tsconfig.sdk.json tsconfig.tools.json LICENSE ./
COPY src ./src
COPY scripts/lib ./scripts/lib
COPY resources ./resources
COPY docs ./docs
COPY deploy/image ./deploy/image
RUN node deploy/image/lay-out.mjs image

# glibc, libstdc++ and CA certificates; no shell, no package manager. Its user `nonroot` is 65532.
FROM gcr.io/distroless/cc-debian12:nonroot
LABEL org.opencontainers.image.title="Yardmaster" \
      org.opencontainers.image.description="Job master, workers and operations console for low-code workflows" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /src/image/program /opt/yardmaster
COPY --from=build /src/deploy/image/health.mjs /opt/yardmaster/health.mjs
COPY --from=build --chown=65532:65532 /src/image/data /var/lib/
# The ports are those that the chart and compose name: taken ones are an error, not a reason to move.
ENV YARDMASTER_HOST=0.0.0.0 \
    YARDMASTER_PORT=8700 \
    YARDMASTER_LOG_STORE_PORT=9428 \
    YARDMASTER_METRICS_PORT=8086 \
    YARDMASTER_LOGSTASH_PORT=9000 \
    YARDMASTER_DATA=/var/lib/yardmaster/data \
    HOME=/tmp \
    NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=73728
USER 65532:65532
VOLUME ["/var/lib/yardmaster", "/tmp"]
EXPOSE 8700 9428 8086 9000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/opt/yardmaster/node/node", "/opt/yardmaster/health.mjs"]
ENTRYPOINT ["/opt/yardmaster/node/node", "--max-semi-space-size=4", "--v8-pool-size=1", "--no-parallel-scavenge", "/opt/yardmaster/server/out/main/cli.js"]
CMD ["master"]
