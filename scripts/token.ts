/** `npm run token`: makes a bearer token and prints it, this once, with the line to store in its place. */
import { digestLine } from '../src/auth/digest.ts'
import { newToken } from '../src/auth/tokens.ts'

const token = newToken()
process.stdout.write(`token, shown this once:   ${token}\nline for the token file:  ${digestLine(token)}\n`)
