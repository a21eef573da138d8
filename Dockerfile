# The service and its run-time dependencies, without the compiler; not root.
# docker run --read-only --volume plants:/data --publish 3000:3000 --env AUTH_TOKENS=… plant-store
# With PostgreSQL: --tmpfs /data instead of the volume.

FROM node:26.10.0-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1 AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY src/engine/package.json src/engine/
COPY src/cli/package.json src/cli/
COPY src/service/package.json src/service/
COPY src/contract/package.json src/contract/
COPY src/compiler/package.json src/compiler/
RUN npm ci --omit=dev --ignore-scripts

# The service in a few files, for the start of each container.
FROM dependencies AS build
RUN npm ci --ignore-scripts
COPY generated generated
COPY scripts scripts
COPY src src
RUN ["node", "scripts/build.ts"]

FROM node:26.10.0-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=sqlite:/data/plants.db \
    NODE_COMPILE_CACHE=/app/dist/compiled
WORKDIR /app
# A new volume takes over the owner of the folder, so that the service may write to it.
RUN mkdir /data && chown node:node /data
VOLUME /data
COPY --from=dependencies /app/node_modules node_modules
# Every file of the contract, so that the start checks each against the generated code.
COPY package.json *.yaml ./
# The commands, such as export and token.
COPY generated generated
COPY scripts scripts
COPY src src
COPY --from=build /app/dist dist
# Its compiled code: of its user, who cannot change it.
RUN mkdir dist/compiled && chown node:node dist/compiled
USER 1000:1000
RUN ["node", "scripts/warm.js"]
USER root
RUN chown -R root:root dist/compiled && chmod -R a+rX dist/compiled
# A number lets an orchestrator verify that it is not root.
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["node", "scripts/healthcheck.ts"]
CMD ["node", "--min-semi-space-size=16", "--max-semi-space-size=16", "dist/main.js"]
