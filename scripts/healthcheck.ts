/** Exit code 0 if the service that runs with this environment is alive; what a container's health check calls. */
import { isIPv6 } from 'node:net'
import { readConfig } from '../src/config.ts'

const result = readConfig(process.env)
if ('problems' in result) throw new Error(result.problems.join('\n'))

const { host, port, basePath } = result.config
// Who listens on every address listens on this machine's own.
const reached = /^(0\.0\.0\.0|::)$/.test(host) ? 'localhost' : host
const url = `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}${basePath}/-/live`
const { ok } = await fetch(url, { signal: AbortSignal.timeout(2_000) })
process.exitCode = ok ? 0 : 1
