/** Scalar's package: the script of the docs page is a copy of its own, and its plugin shows the contract of an engine. */
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import fastify from 'fastify'
import t, { test } from 'tap'
import { installedScalar, scalarCopy } from '../../../scripts/docs/scalar-copy.ts'
import { readScalar } from '../../../src/service/docs/register.ts'
import copy from '../../../src/service/docs/scalar.json' with { type: 'json' }
import { launchChromium } from '../../e2e/chromium.ts'
import { serve } from '../../engine/serve.ts'

t.setTimeout(300_000)
const { module } = await installedScalar()
const { default: scalar } = await import(pathToFileURL(module).href)

test('the script is the one that the package would serve', async (t) => {
  const app = fastify()
  t.teardown(() => app.close())
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { payload } = await app.inject('/docs/js/scalar.js')
  t.ok(payload.length > 1_000_000)
  const { encoded } = await readScalar()
  t.ok(String(await encoded('identity')) === payload)
  t.ok(String(brotliDecompressSync(await encoded('br'))) === payload)
})

test('the copy is of the installed package, and names its version and licence', async (t) => {
  t.match(copy.license, /^MIT License\n\nCopyright/)
  t.ok(
    JSON.stringify(await scalarCopy(copy)) === JSON.stringify(copy),
    'run "npm run docs:page" after an update of Scalar'
  )
})

test('its plugin finds the contract of an engine, and its page shows it', async (t) => {
  const get = {
    operationId: 'getLamps',
    summary: 'Look at the lamps',
    responses: { 204: { description: 'None' } }
  }
  const { app, port } = await serve(
    t,
    { paths: { '/lamps': { get } } },
    {
      handlers: { getLamps: () => ({ status: 204 }) },
      extend: (server) => server.register(scalar, { routePrefix: '/reference' })
    }
  )
  const url = `http://127.0.0.1:${port}/reference/`
  t.strictSame(await (await fetch(`${url}openapi.json`)).json(), app.swagger())
  const browser = await launchChromium()
  t.teardown(() => browser.close())
  const page = await browser.newPage()
  await page.goto(url)
  await page.getByRole('heading', { name: 'Look at the lamps' }).waitFor({ timeout: 120_000 })
})
