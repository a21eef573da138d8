import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import { test } from 'tap'
import { readConfig } from '../../../src/service/config/config.ts'
import { byteLimits, limitOptions, limits } from '../../../src/service/http/limits.ts'

const options = (environment: Readonly<Record<string, string>>) => {
  const result = readConfig(environment)
  if ('problems' in result) throw new Error(result.problems.join('\n'))
  return limitOptions(result.config)
}

test('the contract states every limit that a client must know', async (t) => {
  const { bodyLimit, requestTimeout } = options({})
  const stated = [
    `${limits.maxHeaderBytes} bytes`,
    `${bodyLimit} bytes`,
    `${requestTimeout} ms`,
    `${limits.keepAliveTimeout} ms`,
    `${limits.maxBodyBytes} bytes`,
    `${limits.maxUnreadBytes} bytes`,
    `${limits.maxConnections}`
  ]
  const contract = readFileSync('openapi.yaml', 'utf8')
  for (const limit of stated) t.ok(contract.includes(`| ${limit} |`), limit)
})

test('there is room for the largest body in any case', async (t) => {
  t.equal(byteLimits({ bodyLimit: 1 }).maxBodyBytes, limits.maxBodyBytes)
  t.equal(byteLimits({ bodyLimit: 2 * limits.maxBodyBytes }).maxBodyBytes, 2 * limits.maxBodyBytes)
})

test('a request may take longer than the 300 s that Node knows', async (t) => {
  for (const requestTimeout of ['1', '600000', '2147483647']) {
    const app = Fastify(options({ REQUEST_TIMEOUT: requestTimeout }))
    t.equal(app.server.requestTimeout, Number(requestTimeout))
    t.ok(app.server.headersTimeout <= Number(requestTimeout))
    await app.close()
  }
})

const trusted: readonly { given: string; want: unknown }[] = [
  { given: 'off', want: false },
  { given: 'true', want: true },
  { given: '10.0.0.0/8, loopback', want: ['10.0.0.0/8', 'loopback'] }
]

test('TRUST_PROXY becomes trustProxy of Fastify', async (t) => {
  for (const { given, want } of trusted) t.strictSame(options({ TRUST_PROXY: given }).trustProxy, want)
})
