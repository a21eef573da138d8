/** Health check of a container: exits 0 if the service with this environment is alive. */
import { isIPv6 } from 'node:net'
import { command, Mistake } from '@contract-first/cli/command'
import { type Config, readConfig } from '@contract-first/service/config'
import { StartError } from '@contract-first/service/start-error'
import { variables } from '../src/plants/product.ts'

const usage = 'usage: node scripts/healthcheck.ts'

await command({ usage }, async () => {
  const url = liveUrl(configuration())
  const { status } = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(({ message, cause }) => {
    throw new Mistake([`${url} does not answer: ${cause?.message ?? message}`])
  })
  if (status !== 200) throw new Mistake([`${url} answers ${status}`])
})

function configuration(): Config {
  try {
    return readConfig(process.env, variables)
  } catch (error) {
    throw error instanceof StartError ? new Mistake(error.problems) : error
  }
}

function liveUrl({ host, port, basePath }: Config): string {
  // A service that listens on every address also listens on the loopback address.
  const reached = /^(0\.0\.0\.0|::)$/.test(host) ? 'localhost' : host
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}${basePath}/-/live`
}
