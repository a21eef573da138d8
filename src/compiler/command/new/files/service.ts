/** The entry of a new project, its definition, and its security functions. */
import { commentText } from '../../../source/comment.ts'
import { keyOf } from '../../../source/values.ts'
import type { Files } from './handlers.ts'
import type { ProjectPlan } from './plan.ts'

export function serviceFiles({ securitySchemes }: ProjectPlan): Files {
  return [
    ['src/main.ts', main],
    ['src/app.ts', app],
    ['src/security.ts', securityText(securitySchemes)]
  ]
}

const main = `/** The entry: starts the service, and ends it on SIGTERM when every request is answered. */
import { runMain } from '@contract-first/service'
import manifest from '../package.json' with { type: 'json' }

await runMain({
  manifest,
  contract: async () => (await import('../generated/contract.ts')).default,
  service: async () => (await import('./app.ts')).default
})
`

const app = `/** The definition of this service: its contract, handlers, security and errors. */
import { defineService } from '@contract-first/service'
import contract from '../generated/contract.ts'
import { errorBody } from './failures.ts'
import { createHandlers } from './handlers/handlers.ts'
import { security } from './security.ts'

export default defineService({ contract, handlers: createHandlers, security, errorBody })
`

function securityText(schemes: ProjectPlan['securitySchemes']): string {
  const members = Object.entries(schemes).map(
    ([name, scheme]) =>
      `  /** ${commentText(`Is called with ${credentialOf(scheme)}`)}. */\n  ${keyOf(name)}: () => undefined`
  )
  const list = members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n}`
  const doc =
    members.length === 0
      ? '/** The contract declares no security scheme. */'
      : `/**
 * Judges credentials: a function for each security scheme of the contract. It is called with the credential and
 * \`{ scopes, request }\`, and returns the client, such as \`{ id: 'ada' }\`, which handlers read as \`request.principal\`.
 * It throws \`new FailureError('forbidden')\` for a client that lacks one of the scopes.
 * Each returns undefined until it is written: every client is refused.
 */`
  return `${doc}
import type { SecurityHandlers } from '../generated/types.ts'

export const security: SecurityHandlers = ${list}
`
}

type Scheme = ProjectPlan['securitySchemes'][string]

function credentialOf(scheme: Scheme): string {
  if (scheme.type === 'apiKey') return `the key in the ${scheme.in} ${JSON.stringify(scheme.name)}`
  if (scheme.type === 'mutualTLS') return 'the certificate of the client'
  if (scheme.type !== 'http') return 'the access token of the header Authorization'
  if (scheme.scheme.toLowerCase() === 'basic') return '{ username, password } of the header Authorization'
  return scheme.scheme.toLowerCase() === 'bearer'
    ? 'the token of the header Authorization'
    : 'the credentials of the header Authorization'
}
