/** The README of a new project. */
import { commentText } from '../../../source/comment.ts'
import type { ProjectPlan } from './plan.ts'

export function readmeText({ title, contract, handlers, securitySchemes }: ProjectPlan): string {
  const file = codeText(contract)
  const count = `${handlers.length} ${handlers.length === 1 ? 'operation' : 'operations'}`
  const schemes = Object.keys(securitySchemes)
  const hasMock = handlers.some(({ answer }) => answer !== undefined)
  return `# ${headingText(title) || 'Service'}

${file} describes ${count}; this project serves them.

\`\`\`sh
npm ci && npm start
\`\`\`

It listens on http://127.0.0.1:3000 and serves its docs at \`/docs\`, the contract at \`/openapi.yaml\` and \`/openapi.json\`, and
health checks at \`/-/live\` and \`/-/ready\`. SIGTERM ends it when every request is answered. \`npm start -- --help\` lists the
variables of its environment.

## Where is what

| file | holds |
|---|---|
| ${file} | the contract: edit it first, then \`npm run generate\` |
| \`generated/\` | what the contract compiles to; never edited |
| \`src/handlers/\` | one file for each operation; ${hasMock ? 'each answers an example of the contract until you write it' : 'each answers 501 until you write it'} |
| \`src/handlers/handlers.ts\` | the list of all handlers; \`npm run generate -- --stubs\` adds those of new operations |
${schemes.length === 0 ? '' : '| `src/security.ts` | who may call: every client is refused until you write it |\n'}| \`src/failures.ts\` | the body of every error |
| \`src/main.ts\`, \`src/app.ts\` | the start, and the parts that it starts |
| \`test/service.test.ts\` | starts the service and sends \`test/requests.json\` to every operation |
| \`vendor/\` | the packages that serve and compile the contract |

## Commands

| command | does |
|---|---|
| \`npm start\` | serves |
| \`npm run dev\` | serves, and follows every edit |
| \`npm run generate\` | compiles the contract into \`generated/\` |
| \`npm run mock\` | serves the contract without handlers |
| \`npm test\` | starts the service and drives every operation |
| \`npm run typecheck\`, \`npm run lint\`, \`npm run format\` | check types and style, and format |
`
}

/** Escapes what Markdown and HTML would interpret (CommonMark 0.31.2, section 2.4). */
const headingText = (text: string): string => commentText(text).replaceAll(/[\\`*_[\]<>&#!|~]/g, '\\$&')

/** Writes a text as code in a table: between more backticks than it has in a row. */
function codeText(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([{ length }]) => length))
  const fence = '`'.repeat(longest + 1)
  const space = longest === 0 ? '' : ' '
  return `${fence}${space}${commentText(text).replaceAll('|', '\\|')}${space}${fence}`
}
