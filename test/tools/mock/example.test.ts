/** The request that the mock shows: of the operation that is easiest to call, and with credentials that it accepts. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { exampleText } from '../../../src/service/curl.ts'
import { mocked } from './mocked.ts'

const responses = { 204: { description: 'x' } }
const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
  digest: { type: 'http', scheme: 'digest' },
  oauth: { type: 'openIdConnect', openIdConnectUrl: 'https://x.example' },
  key: { type: 'apiKey', in: 'query', name: 'key' },
  session: { type: 'apiKey', in: 'cookie', name: 'session' },
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  mutual: { type: 'mutualTLS' }
}

t.test('the easiest operation is chosen', async (t) => {
  const requestBody = { required: true, content: { 'application/json': { schema: { const: 1 } } } }
  const parameters = [{ name: 'a', in: 'query', required: true, schema: { const: 1 } }]
  const { contract } = await mocked(t, {
    paths: {
      '/a': { post: { operationId: 'a', requestBody, responses } },
      '/b': { get: { operationId: 'b', parameters, responses } },
      '/c': { post: { operationId: 'c', requestBody, responses }, get: { operationId: 'd', responses } }
    }
  })
  t.match(contract.example, { operationId: 'd', summary: 'd', target: '/c' })
})

for (const names of [...Object.keys(securitySchemes).map((name) => [name]), ['header', 'session', 'mutual']])
  t.test(`the request with credentials of ${names.join(', ')} is accepted`, async (t) => {
    const security = [Object.fromEntries(names.map((name) => [name, []]))]
    const { contract, listener } = await mocked(t, {
      paths: { '/a': { get: { operationId: 'a', security, responses } } },
      components: { securitySchemes }
    })
    const url = `http://127.0.0.1:${listener.address.port}`
    const line = exampleText(contract, { url, token: 'mock' }).trim().split('\n').at(-1)
    const { stdout } = await promisify(execFile)('sh', ['-c', `${line} -s -o /dev/null -w '%{http_code}'`])
    t.equal(stdout, '204', String(line))
  })
