/** The entry: environment, signals, exit code. The only file of src/ that touches `process`. */
import { existsSync } from 'node:fs'
import { buildApp } from './app.ts'
import { openBearerAuth } from './auth/bearer.ts'
import { newToken } from './auth/tokens.ts'
import { type Config, readConfig } from './config.ts'
import { BootError } from './contract/server.ts'
import { openStore, StoreOpenError } from './store/open.ts'
import { welcome } from './welcome.ts'

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const read = readConfig(process.env)
  if ('problems' in read) return fail(read.problems)
  const { config } = read
  const token = hasAuth(config) ? undefined : newToken()
  const bearer = await openBearerAuth(
    { ...config.auth, tokens: token === undefined ? config.auth.tokens : [token] },
    () => {}
  )
  if ('problems' in bearer) return fail(bearer.problems)
  const store = await openStore(config.databaseUrl)
  const app = await buildApp({
    config,
    store,
    authenticate: bearer.auth.authenticate,
    logger: { level: config.logLevel }
  })
  await app.listen({ host: config.host, port: config.port })
  console.log(welcome({ url: publicUrl(config, app.listeningOrigin), token }))
  const stop = async () => {
    await app.close()
    await store.close()
    bearer.auth.close()
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

function hasAuth({ auth }: Config): boolean {
  return auth.tokens.length > 0 || auth.tokensFile !== undefined || auth.jwks !== undefined
}

function publicUrl({ baseUrl, basePath }: Config, listening: string): string {
  return baseUrl === undefined ? listening : `${baseUrl.origin}${basePath}`
}

/** A mistake of the user is told in a sentence each, without a stack. */
function fail(problems: readonly string[]): void {
  for (const problem of problems) console.error(problem)
  process.exitCode = 1
}

try {
  await main()
} catch (error) {
  if (error instanceof BootError || error instanceof StoreOpenError) fail([error.message])
  else if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    fail([
      `${error.message.replace(/^listen EADDRINUSE: /, '')}: set PORT to another one, or end the process that has it`
    ])
  } else throw error
}
