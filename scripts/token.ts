/** `npm run token`: makes a bearer token and prints it once, with the line of its digest. */
import { tokenPrefix } from '../src/plants/product.ts'
import { digestLine } from '../src/service/credentials/digest.ts'
import { newToken } from '../src/service/credentials/tokens.ts'
import { formatRows } from '../src/service/terminal/format.ts'
import { command, toOutput } from './cli/command.ts'

const usage = `usage: npm run token

  Makes a bearer token and prints it, this once, with the line that the file of AUTH_TOKENS_FILE keeps in its place.`

await command({ usage }, () => {
  const token = newToken(tokenPrefix)
  const rows = formatRows([
    ['token', `${token}  ${toOutput('dim', '(shown this once; for the client)')}`],
    ['digest', digestLine(token)]
  ])
  console.log(`${rows}

Next: add the digest to the file of AUTH_TOKENS_FILE, then kill -HUP the pid in the line "started" of the log of the service
      (a service that npm started has a pid of its own: a SIGHUP to npm ends npm, and reloads nothing)`)
})
