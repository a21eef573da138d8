/** `npm run token`: makes a bearer token and prints it once, with the line of its digest. */

import { command, Mistake, toOutput } from '@contract-first/cli/command'
import { formatRows } from '@contract-first/cli/format'
import { digestLine, newToken, scopeToken } from '@contract-first/service/tokens'
import { tokenPrefix } from '../src/plants/product.ts'

const usage = `usage: npm run token [-- --scope SCOPE]…

  Makes a bearer token and prints it, this once, with the line that the file of AUTH_TOKENS_FILE keeps in its place.`
const options = { '--scope SCOPE': 'a scope that the token carries; may be repeated' }

await command({ usage, options }, ({ all }) => {
  const scopes = [...new Set(all('scope'))]
  const wrong = scopes.find((scope) => !scopeToken.test(scope) || scope.startsWith('#'))
  if (wrong !== undefined)
    throw new Mistake(
      [
        `--scope is ${JSON.stringify(wrong)}; expected one scope, without spaces, quotes and backslashes, and no # before it`
      ],
      { exitCode: 2 }
    )
  const token = newToken(tokenPrefix)
  const rows = formatRows([
    ['token', `${token}  ${toOutput('dim', '(shown this once; for the client)')}`],
    ['digest', [digestLine(token), ...scopes].join(' ')]
  ])
  console.log(`${rows}

Next: add the digest line to the file of AUTH_TOKENS_FILE, then kill -HUP the pid in the line "started" of the log of the service
      (a service that npm started has a pid of its own: a SIGHUP to npm ends npm, and reloads nothing)`)
})
