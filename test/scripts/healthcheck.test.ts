import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Test, test } from 'tap'

async function serve(t: Test, host: string, status: number): Promise<number> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/api/-/live' ? status : 404).end()
  })
  await once(server.listen(0, host), 'listening')
  t.teardown(() => server.close())
  return (server.address() as AddressInfo).port
}

async function exitCode(environment: Readonly<Record<string, string>>): Promise<unknown> {
  const child = spawn(process.execPath, ['scripts/healthcheck.ts'], {
    env: { ...process.env, ...environment }
  })
  const [code] = await once(child, 'exit')
  return code
}

const cases: readonly { listen: string; host: string; status: number; want: number }[] = [
  { listen: '127.0.0.1', host: '127.0.0.1', status: 200, want: 0 },
  { listen: '0.0.0.0', host: '0.0.0.0', status: 200, want: 0 },
  { listen: '::1', host: '::1', status: 200, want: 0 },
  { listen: '127.0.0.1', host: '127.0.0.1', status: 503, want: 1 }
]

for (const { listen, host, status, want } of cases) {
  test(`HOST=${host}, which answers ${status}, is ${want === 0 ? 'healthy' : 'not healthy'}`, async (t) => {
    const port = await serve(t, listen, status)
    t.equal(await exitCode({ HOST: host, PORT: String(port), BASE_URL: 'http://x.example/api' }), want)
  })
}

test('a server that does not answer in time is not healthy', async (t) => {
  const server = createServer(() => {})
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.closeAllConnections())
  t.teardown(() => server.close())
  t.equal(await exitCode({ PORT: String((server.address() as AddressInfo).port) }), 1)
})

test('a port without a server and an invalid environment are not healthy', async (t) => {
  t.equal(await exitCode({ PORT: '1' }), 1)
  t.equal(await exitCode({ PORT: 'x' }), 1)
})
