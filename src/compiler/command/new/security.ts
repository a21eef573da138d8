/** Writes `src/security.ts` of a new project: the functions that judge credentials. */
import { isBearer } from '@contract-first/engine/model'
import { commentText, keyOf } from '../../source/values.ts'
import type { ProjectPlan } from './plan.ts'

type Scheme = ProjectPlan['securitySchemes'][string]

export function securityText(schemes: ProjectPlan['securitySchemes']): string {
  const all = Object.entries(schemes)
  const hasTokens = all.some(([, scheme]) => isBearer(scheme))
  const members = all.map(([name, scheme]) => {
    const comment = commentText(`Is called with ${credentialOf(scheme)}`)
    return `  /** ${comment}. */\n  ${keyOf(name)}: ${isBearer(scheme) ? 'authenticate' : '() => undefined'}`
  })
  const list = members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n}`
  const doc = all.length === 0 ? '/** The contract declares no security scheme. */' : securityDoc(hasTokens)
  const maker = `(authenticate: Authenticate) =>\n  (${list.replaceAll('\n', '\n  ')}) satisfies SecurityHandlers`
  return `${doc}
${hasTokens ? "import type { Authenticate } from '@contract-first/service'\n" : ''}import type { SecurityHandlers } from '../generated/types.ts'

export const security${hasTokens ? ` = ${maker}` : `: SecurityHandlers = ${list}`}
`
}

const securityDoc = (hasTokens: boolean): string => `/**
 * Judges credentials: a function for each security scheme of the contract. It is called with the credential and
 * \`{ scopes, request }\`, and returns the client, such as \`{ id: 'ada' }\`, which handlers read as \`request.principal\`.
 * It throws \`new FailureError('forbidden')\` for a client that lacks one of the scopes.
 *${hasTokens ? ' `authenticate` does so for the tokens of AUTH_TOKENS, AUTH_TOKENS_FILE and AUTH_JWKS_URL.\n *' : ''} A function that returns undefined refuses every client.
 */`

function credentialOf(scheme: Scheme): string {
  if (scheme.type === 'apiKey') return `the key in the ${scheme.in} ${JSON.stringify(scheme.name)}`
  if (scheme.type === 'mutualTLS') return 'the certificate of the client'
  if (isBearer(scheme)) return 'the token of the header Authorization'
  return scheme.type === 'http' && scheme.scheme.toLowerCase() === 'basic'
    ? '{ username, password } of the header Authorization'
    : 'the credentials of the header Authorization'
}
