/** The entry: environment, signals, exit code. The only file of src/ that touches `process`. */
import { randomBytes } from 'node:crypto'
import { buildApp } from './app.ts'
import { openBearerAuth } from './auth/bearer.ts'
import { readConfig } from './config.ts'
import { openStore } from './store/open.ts'

async function main(): Promise<void> {
  const read = readConfig(process.env)
  if ('problems' in read) return fail(read.problems)
  const { config } = read
  const isOpen =
    config.auth.tokens.length === 0 && config.auth.tokensFile === undefined && config.auth.jwks === undefined
  const token = isOpen ? randomBytes(24).toString('base64url') : undefined
  const auth = await openBearerAuth(
    { ...config.auth, tokens: token === undefined ? config.auth.tokens : [token] },
    () => {}
  )
  if ('problems' in auth) return fail(auth.problems)
  const store = await openStore(config.databaseUrl)
  const app = await buildApp({
    config,
    store,
    authenticate: auth.auth.authenticate,
    logger: { level: config.logLevel }
  })
  await app.listen({ host: config.host, port: config.port })
  console.log(app.listeningOrigin, token)
  const stop = async () => {
    await app.close()
    await store.close()
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

function fail(problems: readonly string[]): void {
  for (const problem of problems) console.error(problem)
  process.exitCode = 1
}

await main()
