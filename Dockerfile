# One image for all four programs: load, edge, api and backend are the same compiled JavaScript with another entry.
# Plain instructions only, so that BuildKit and the classic builder both read it.

FROM node:24-bookworm-slim AS build
WORKDIR /build
ENV npm_config_fund=false npm_config_audit=false npm_config_update_notifier=false npm_config_loglevel=error
ARG NPM_REGISTRY=https://registry.npmjs.org/
ENV npm_config_registry=${NPM_REGISTRY}
# .docker-ca.pem holds the certificates that a host behind its own proxy trusts; bin/lab makes it where
# NODE_EXTRA_CA_CERTS is set. The pattern lets it be absent. It stays in this stage.
COPY package.json package-lock.json .docker-ca.pe[m] ./
RUN if [ -s .docker-ca.pem ]; then export NODE_EXTRA_CA_CERTS=/build/.docker-ca.pem; fi; npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY services services
COPY loadgen loadgen
COPY lab lab
RUN npm run --silent build
# What runs: no dev dependencies, and of those that stay neither sources, maps, types, tests nor documents.
RUN npm prune --omit=dev --ignore-scripts \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \
    -o -name '*.markdown' -o -name '*.ts' -o -name '*.flow' \) -delete \
  && find node_modules -depth -type d \( -name test -o -name tests -o -name __tests__ -o -name docs -o -name example \
    -o -name examples -o -name benchmarks -o -name .github \) -exec rm -rf {} + \
  && rm -f node_modules/.package-lock.json \
  && chmod a+r package.json # a checkout under umask 077

FROM node:24-bookworm-slim
WORKDIR /lab
ENV NODE_ENV=production
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
USER node
CMD ["node", "dist/lab/cli/main.js", "help"]
