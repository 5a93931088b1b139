# Pith over HTTP, or over STDIO: no shell, no root, nothing to write to but what is mounted.
#   docker run -i --rm -v pith:/app/index -v "$PWD/docs:/documents:ro" pith stdio --docs /documents
#   docker run --rm -p 127.0.0.1:7484:7484 -e PITH_HTTP_TOKEN -v pith:/app/index -v "$PWD/docs:/documents:ro" \
#     pith http --docs /documents
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
# What is loaded at run time, with engines and telemetry; where volumes are mounted, any user may write, as in /tmp.
RUN npm run build \
    && node scripts/production.mjs /image \
    && mkdir -p -m 1777 /image/index /image/reports

FROM gcr.io/distroless/nodejs22-debian12:nonroot
WORKDIR /app
ENV NODE_ENV=production \
    PITH_HTTP_HOST=0.0.0.0 \
    PITH_HTTP_PORT=7484 \
    PITH_INDEX=/app/index/index.sqlite \
    RETRIEVAL_DIAGNOSTICS_DIR=/app/reports/retrieval_diagnostics
COPY --from=build --chown=65532:65532 /image ./
EXPOSE 7484
HEALTHCHECK --interval=15s --timeout=5s --start-period=10s --retries=3 \
    CMD ["/nodejs/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PITH_HTTP_PORT}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/nodejs/bin/node", "bin/pith.js"]
CMD ["http"]
