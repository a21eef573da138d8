/** The image and the continuous integration of a new project. */
import type { Files } from './handlers.ts'

const image = 'node:26.10.0-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1'

/** @param name name of the project */
export function containerFiles(name: string, contract: string): Files {
  const root = contract.includes('/') ? contract.slice(0, contract.indexOf('/')) : contract
  return [
    ['Dockerfile', dockerfile(name, root)],
    ['.dockerignore', dockerignore(root)],
    ['.github/workflows/ci.yml', workflow]
  ]
}

const dockerfile = (name: string, contract: string) => `# The service without its development tools; not root.
# docker build --tag ${name} . && docker run --read-only --publish 3000:3000 ${name}

FROM ${image} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY vendor vendor
RUN npm ci --omit=dev --ignore-scripts

FROM ${image}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
# The contract, too: the start compares it with the generated code.
COPY package.json ./
COPY ${contract} ${contract}
COPY generated generated
COPY src src
# A number lets an orchestrator verify that it is not root.
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["node", "--eval", "fetch(\`http://localhost:\${process.env.PORT}/-/live\`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/main.ts"]
`

const dockerignore = (contract: string) => `# The image holds only what is named here.
*
!package.json
!package-lock.json
!.npmrc
!vendor
!${contract}
!generated
!src
`

const workflow = `name: ci
on:
  push:
    branches: [main]
  pull_request:
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
          cache: npm
      - run: npm ci
      - run: npm run generate -- --check
      - run: npm run lint
      - run: npm run typecheck
      - run: npm test
`
