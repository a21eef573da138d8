/** The docs page of a long contract in Chromium, used by keyboard and screen reader, and printed; and the copy of Scalar. */
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import t from 'tap'
import { scalarCopy } from '../../../scripts/docs/scalar-copy.ts'
import { registerDocs } from '../../../src/service/docs/register.ts'
import copy from '../../../src/service/docs/scalar.json' with { type: 'json' }
import { launchChromium } from '../../e2e/chromium.ts'
import { compiled } from '../../engine/serve.ts'

t.setTimeout(300_000)

const flows = { clientCredentials: { tokenUrl: 'https://login.example/token', scopes: { read: 'Read' } } }
const account = { $ref: '#/components/schemas/Account' }
const numbers = Array.from({ length: 12 }, (_, index) => index + 1)
const contract = await compiled(t, {
  servers: [{ url: '.' }],
  security: [{ login: ['read'] }],
  paths: Object.fromEntries(
    numbers.map((lamp) => {
      const content = { 'application/json': { schema: { type: 'object' }, example: { lamp } } }
      const responses = { 200: { description: `Colour ${lamp}`, content } }
      const tags = [lamp < 12 ? 'lamps' : 'spares']
      const get = { operationId: `getLamp${lamp}`, summary: `Look at lamp ${lamp}`, tags, responses }
      return [`/lamps/${lamp}`, { get }]
    })
  ),
  webhooks: {
    accountOpened: {
      post: {
        summary: 'An account was opened',
        requestBody: { content: { 'application/json': { schema: account } } },
        responses: { 200: { description: 'Noted' } }
      }
    }
  },
  components: {
    securitySchemes: { login: { type: 'oauth2', flows } },
    schemas: {
      Account: {
        type: 'object',
        required: ['parent'],
        properties: {
          accountNumber: { type: 'string', readOnly: true, pattern: '^\\d{4}$' },
          passPhrase: { type: 'string', writeOnly: true },
          parent: account
        }
      }
    }
  }
})
const app = fastify()
await app.register(async (scope) => registerDocs(scope, { basePath: '', contract, headers: {} }))
await app.listen({ host: '127.0.0.1', port: 0 })
t.teardown(() => app.close())
const browser = await launchChromium()
t.teardown(() => browser.close())
const page = await browser.newPage({ viewport: { width: 1300, height: 900 } })
page.setDefaultTimeout(120_000)
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/docs`
await page.goto(url)
const first = page.getByRole('heading', { name: 'Look at lamp 1', exact: true })
await first.waitFor()
await page.locator('.scalar-code-copy').first().waitFor({ state: 'attached' })

t.test('a webhook shows what its sender sends', async (t) => {
  await page.getByRole('button', { name: 'Webhooks' }).first().click()
  await page.getByRole('link', { name: 'An account was opened' }).first().click()
  const webhook = page.locator('section', { hasText: 'An account was opened' }).last()
  await webhook.getByText('accountNumber').first().waitFor()
  t.equal(await webhook.getByText('passPhrase').count(), 0)
  const shown = await webhook.innerText()
  t.match(shown, /^accountNumber[\s\S]*^parent/m, 'in the order of the contract')
  t.match(shown, '"accountNumber": "0000"', 'an example that fits')
  t.equal(await page.getByText('Account (sent)').count(), 0)
})

const controls = ['button', 'checkbox', 'combobox', 'link', 'searchbox', 'switch', 'tab', 'textbox']

/** Returns the roles of all controls, and of those without a name. */
async function controlsOf(): Promise<{ readonly all: string[]; readonly unnamed: string[] }> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  const shown = nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name }) => ({ role: String(role?.value), name: String(name?.value ?? '').trim() }))
    .filter(({ role }) => controls.includes(role))
  return {
    all: shown.map(({ role }) => role),
    unnamed: shown.filter(({ name }) => name === '').map(({ role }) => role)
  }
}

t.test('every control has a name, also in the window of a request', async (t) => {
  const before = await controlsOf()
  t.ok(before.all.length > 50, `${before.all.length} controls`)
  t.strictSame(before.unnamed, [])
  t.equal(await page.getByRole('combobox', { name: 'Token URL' }).count(), 1)
  await page.getByRole('button', { name: 'Test Request' }).first().click()
  const client = page.getByRole('dialog')
  await client.getByRole('button', { name: /^Send get request/ }).click()
  await client.getByRole('textbox', { name: 'Response body' }).waitFor()
  t.strictSame((await controlsOf()).unnamed, [])
  await page.keyboard.press('Escape')
  await client.waitFor({ state: 'hidden' })
})

t.test('the first link skips the sidebar, and is seen only while it has the focus', async (t) => {
  // The same URL with another fragment would not load the page.
  await page.goto('about:blank')
  await page.goto(url)
  await first.waitFor()
  const skip = page.getByRole('link', { name: 'Skip to the content' })
  const clip = () => skip.evaluate((link) => link.ownerDocument.defaultView.getComputedStyle(link).clipPath)
  t.equal(await clip(), 'inset(50%)')
  await page.keyboard.press('Tab')
  t.equal(await clip(), 'none')
  await page.keyboard.press('Enter')
  t.notMatch(page.url(), /#app/)
  await page.keyboard.press('Tab')
  t.equal(await page.evaluate('document.activeElement.closest("main") !== null'), true)
})

t.test('every operation is drawn when the page is printed, also of tags that are closed', async (t) => {
  const text = () => page.locator('main').first().innerText()
  t.notMatch(await text(), /Colour 1[12]/)
  await page.pdf()
  const printed = await text()
  for (const number of numbers) t.match(printed, `Colour ${number}\n`)
})

t.test('the copy is of the installed package, and names its version and licence', async (t) => {
  t.match(copy.license, /^MIT License\n\nCopyright/)
  t.ok(
    JSON.stringify(await scalarCopy(copy)) === JSON.stringify(copy),
    'run "npm run docs:page" after an update of Scalar'
  )
})
