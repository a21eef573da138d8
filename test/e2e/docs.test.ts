/**
 * The docs page in Chromium: one browser and one service for all tests. With PICTURES=1, the screenshots are in
 * test-results/screenshots.
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import type { Download, Locator } from 'playwright-core'
import t, { type Test } from 'tap'
import contract from '../../generated/contract.ts'
import { openApiJson } from '../../src/engine/server.ts'
import { registerDocs } from '../../src/service/docs/register.ts'
import { buildApp, defineService } from '../../src/service/service.ts'
import { compiled, serve } from '../engine/serve.ts'
import { least, sleep } from '../time.ts'
import { launchChromium } from './chromium.ts'
import { DocsPage, openWhole, overloaded, picturePath, serveSite, token } from './docs-page.ts'

// The machine may run many tests at once.
t.setTimeout(900_000)
const browser = await launchChromium()
const desktop = { width: 1300, height: 900 }
const context = await browser.newContext({ viewport: desktop })
context.setDefaultTimeout(120_000)
const site = await serveSite(t)
// The process of this page stays alive, so that the other pages share its compiled code.
await (await context.newPage()).goto(`${site.origin}/-/live`)
t.teardown(() => browser.close())
/** Fragment of the operation in the page's URL. */
const hash = '#tag/plants/POST/plants'
// Two tabs for most tests: loading the page takes longer than most tests.
const docs = await DocsPage.open(t, context, site)
const other = await DocsPage.open(t, context, site)
const document = JSON.parse(openApiJson(await contract.yaml()))

t.test('the page is of its own origin only, without a word or a drawing of the vendor', async (t) => {
  await docs.visit()
  await docs.page.waitForLoadState('networkidle')
  t.strictSame(docs.console, [])
  t.ok(docs.requests.length > 5)
  const foreign = docs.requests.filter((url) => !url.startsWith(site.origin) && url !== 'about:blank')
  t.strictSame(foreign, [])
  t.match(await docs.page.title(), /^Plant Store/)
  const icon = await docs.page.locator('link[rel~=icon]').getAttribute('href')
  t.match(await (await docs.page.request.get(`${site.origin}${icon}`)).text(), /A seedling/)
  await docs.openClient()
  for (const text of [await docs.page.innerText('body'), await docs.client.innerText()])
    t.notMatch(text, /scalar|\bAI\b|\bMCP\b|powered|share|BBBB|\|\|\|\|/i)
  t.match(await docs.client.locator('.ascii-art').evaluate(shownText), /The response is shown here/)
  t.equal(await docs.page.locator('a[href*="scalar.com"]:visible').count(), 0)
  await docs.closeClient()
})

/** Returns the text that a style sheet shows after the text of an element. */
const shownText = (element: Shown) =>
  `${element.innerText}${element.ownerDocument.defaultView?.getComputedStyle(element, '::after').content}`

interface Shown {
  readonly innerText: string
  readonly ownerDocument: {
    readonly defaultView: {
      getComputedStyle(element: Shown, part: string): { readonly content: string }
    } | null
  }
}

/** Widths and heights of screens, each with a colour scheme. */
const screens = [
  { width: 1300, height: 900, colorScheme: 'dark', holds: ['Create a plant', 'Body', 'Test Request'] },
  { width: 1920, height: 1080, colorScheme: 'light', holds: ['Create a plant', 'Body', 'Test Request'] },
  { width: 768, height: 1024, colorScheme: 'dark', holds: ['Create a plant', '"climber"', 'Test Request'] },
  { width: 390, height: 844, colorScheme: 'light', holds: ['Create a plant', '"climber"', 'Test Request'] },
  { width: 320, height: 740, colorScheme: 'dark', holds: ['Create a plant'] }
] as const

const statuses = Object.keys(document.paths['/plants'].post.responses)
const codes = [...document.tags[1].description.matchAll(/^\| (\d{4}) \|/gm)].map(([, code]) => code)
const overflow = 'document.documentElement.scrollWidth - innerWidth'

/** Returns the numbers of lines that the texts take, each number once. */
async function lines(cells: Locator): Promise<number[]> {
  const counts = await cells.evaluateAll((elements) =>
    elements.map((element) => {
      const range = element.ownerDocument.createRange()
      range.selectNodeContents(element)
      return new Set(Array.from(range.getClientRects(), ({ top }) => top)).size
    })
  )
  return [...new Set(counts)]
}

/** Returns pairs of texts that are drawn over each other. */
const overlaps = `(() => {
  const texts = []
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data.trim()
    const element = node.parentElement
    if (text === '' || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    if (element.closest('.screenreader-only, .sr-only, [class*="sr-only"]')) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const { left, right, top, bottom } of range.getClientRects())
      if (right - left > 2 && bottom - top > 2) texts.push({ text: text.slice(0, 30), left, right, top: top + 3, bottom: bottom - 3 })
  }
  const meets = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom && b.top < a.bottom
  return texts.flatMap((a, index) => texts.slice(index + 1).filter((b) => meets(a, b)).map((b) => a.text + ' / ' + b.text))
})()`

t.test('on every screen the first view shows the operation, its body and a request to try', async (t) => {
  for (const { width, height, colorScheme, holds } of screens) {
    const screen = `${width} ${colorScheme}`
    await docs.page.setViewportSize({ width, height })
    await docs.page.emulateMedia({ colorScheme })
    // The first test has loaded the page on a desktop, this one loads it on a phone; other screens only resize it.
    if (width === 390) await docs.visit()
    await docs.page.evaluate('scrollTo(0, 0)')
    await docs.page.getByRole('button', { name: 'Test Request' }).waitFor()
    for (const text of holds) {
      const box = await docs.page
        .locator('main')
        .getByText(text)
        .locator('visible=true')
        .first()
        .boundingBox()
      t.ok(box && box.y >= 0 && box.y + box.height <= height, `${screen}: ${text} at ${box?.y}`)
    }
    t.equal(await docs.page.evaluate(overflow), 0, `${screen}: nothing is cut off`)
    const background = await docs.page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    t.match(background, colorScheme === 'dark' ? /^rgb\(\d\d?, / : 'rgb(255, 255, 255)')
    await docs.picture(`first-${width}-${colorScheme}`)
    t.strictSame(await docs.page.evaluate(overlaps), [], `${screen}: no text is over another`)
    const tabs = docs.page.getByRole('tablist').last().getByRole('tab')
    t.strictSame(
      (await tabs.allInnerTexts()).map((text) => text.replace(/\D+/, '')),
      statuses
    )
    for (const tab of await tabs.all()) {
      const box = await tab.boundingBox()
      t.ok(box && box.x >= 0 && box.x + box.width <= width, `${screen}: ${await tab.innerText()}`)
    }
    await tabs.last().click()
    await docs.page.getByText('The service is overloaded, or its store').last().waitFor()
  }
})

t.test('a link in the text leads to the table of errors, whose numbers are on one line each', async (t) => {
  await docs.page.setViewportSize({ width: 320, height: 740 })
  await docs.page.getByRole('link', { name: 'errors' }).first().click()
  const table = docs.page.getByRole('table').filter({ hasText: 'meaning' })
  await table.getByText('4001').waitFor()
  const cells = table.locator('tbody tr td:first-child')
  t.strictSame(await cells.allInnerTexts(), codes)
  t.strictSame(await lines(cells), [1])
  const heading = docs.page.getByRole('heading', { name: 'errors' })
  const box = await heading.boundingBox()
  t.ok(box && box.y >= 0 && box.y < 740, `the section is in view: ${box?.y}`)
  await docs.picture('errors-320')
  // Sections are drawn when they come near.
  const schemas = docs.page.getByRole('heading', { name: 'Schemas' })
  while (!(await schemas.isVisible())) {
    await docs.page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await sleep(50)
  }
  await docs.picture('schemas-320')
  t.strictSame(await docs.page.evaluate(overlaps), [])
})

t.test('the first view takes less than a second of CPU time', async (t) => {
  await docs.page.setViewportSize(desktop)
  const session = await context.newCDPSession(docs.page)
  // CPU time instead of wall-clock time: tests share the processor.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const cpuSeconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  const seconds = await least(1, async () => {
    await session.send('Network.clearBrowserCache')
    const before = await cpuSeconds()
    await docs.load(() => docs.page.goto(`${site.origin}/docs/`))
    await docs.page.getByRole('heading', { name: 'Plant Store' }).first().waitFor()
    return (await cpuSeconds()) - before
  })
  t.ok(seconds > 0.1 && seconds < 1, `${seconds} s`)
})

t.test('a token survives a reload of its tab, and is not in another tab', async (t) => {
  t.match(await docs.page.innerText('main'), /npm start prints a token; .* npm run token/)
  await docs.token.fill(token)
  await docs.load(() => docs.page.reload())
  t.equal(await docs.token.inputValue(), token)
  const stores = await context.storageState()
  t.strictSame(stores, { cookies: [], origins: [] }, 'neither localStorage nor cookies')
  await other.visit(hash)
  t.equal(await other.token.inputValue(), '')
})

t.test('the contract is downloaded as readable JSON and as YAML, and the page stays', async (t) => {
  const download = async (name: string): Promise<[name: string, text: string]> => {
    const started: Promise<Download> = docs.page.waitForEvent('download')
    await docs.page.getByRole('link', { name }).click()
    const file = await started
    return [file.suggestedFilename(), await readFile(await file.path(), 'utf8')]
  }
  const [json, text] = await download('JSON')
  t.equal(json, 'openapi.json')
  t.equal(text, openApiJson(await contract.yaml()))
  t.ok(text.split('\n').length > 100)
  t.strictSame(await download('YAML'), ['openapi.yaml', await readFile('openapi.yaml', 'utf8')])
  t.equal(await docs.token.inputValue(), token)
})

t.test('plants that are created on the page, with one authorisation, are stored', async (t) => {
  await other.token.fill(token)
  await other.openClient()
  t.equal((await other.send()).status(), 200)
  await other.answer.getByText('200 OK').waitFor()
  await other.answer.getByText('"Monstera deliciosa"').waitFor()
  await other.picture('created-1300')
  await other.write('{ "id": 43, "name": "Aloe vera" }')
  t.equal((await other.send()).status(), 200)
  t.strictSame(await site.stored(), [
    { id: 1n, document: '{"name":"Monstera deliciosa","tag":"climber"}' },
    { id: 43n, document: '{"name":"Aloe vera"}' }
  ])
  await other.page.setViewportSize({ width: 390, height: 844 })
  await other.answer.getByText('"Aloe vera"').scrollIntoViewIfNeeded()
  t.equal(await other.page.evaluate(overflow), 0)
  await other.picture('created-390')
  t.strictSame(other.console, [])
  await other.page.setViewportSize(desktop)
  await other.closeClient()
})

const refused: [given: string, body: string, status: number, shown: RegExp[]][] = [
  [token, '{ "id": 1 }', 400, [/400 Bad Request/, /"error": ?4001/, /body\/name is required/]],
  ['', '{ "id": 1, "name": "x" }', 401, [/"error": ?4010/, /expected Authorization: Bearer <token>/]]
]

t.test('the page shows what is wrong with a request; an empty token is not sent', async (t) => {
  const before = await site.stored()
  for (const [given, body, status, shown] of refused) {
    await other.closeClient()
    await other.token.fill(given)
    await other.openClient()
    await other.write(body)
    other.console = []
    const response = await other.send()
    t.equal(response.status(), status)
    t.equal(await response.request().headerValue('authorization'), given === '' ? null : `Bearer ${given}`)
    for (const each of shown) await other.answer.filter({ hasText: each }).waitFor()
    const [message, ...others] = other.console
    t.match(message, /^error: Failed to load resource: .* status of 40[01]/, 'logged by the browser itself')
    t.strictSame(others, [])
  }
  t.strictSame(await site.stored(), before)
  await other.closeClient()
})

t.test('an id beyond 2^53 stays exact in the editor, in the form and in the code snippets', async (t) => {
  await other.token.fill(token)
  await other.openClient()
  await other.write('{ "id": 9007199254740993, "name": "of text" }')
  t.equal((await other.send()).request().postData(), '{ "id": 9007199254740993, "name": "of text" }')

  await other.client.getByRole('button', { name: 'Form', exact: true }).click()
  const id = other.client.getByRole('combobox', { name: 'Body Value' }).first()
  t.equal(await id.innerText(), '9007199254740993')
  await id.fill('9223372036854775807')
  await id.press('Tab')
  t.match((await other.send()).request().postData(), /"id": ?9223372036854775807\b/)
  await other.client.getByRole('button', { name: /Code Snippet/ }).click()
  await other.client.getByText('9223372036854775807,').last().waitFor()

  const ids = (await site.stored()).map((plant) => plant.id)
  t.strictSame(ids.slice(-2), [9007199254740993n, 9223372036854775807n])
})

/** Presses Tab until the element has the focus, which must always be visible. */
async function tabTo(t: Test, { page }: DocsPage, wanted: Locator): Promise<void> {
  // The element is located when the page has drawn it anew, because a search by role reads the whole page.
  let handle = await wanted.elementHandle()
  for (let tabs = 0; tabs < 240; tabs++) {
    await page.keyboard.press('Tab')
    const focus = await handle?.evaluate((element) => {
      const { activeElement, body, defaultView } = element.ownerDocument
      const name = (activeElement.getAttribute('aria-label') ?? activeElement.textContent).trim()
      // The body has the focus between the last element and the first.
      const { outlineStyle } = activeElement === body ? {} : defaultView.getComputedStyle(activeElement)
      const isWanted = activeElement === element
      return { name, outline: outlineStyle, isWanted, isThere: element.isConnected }
    })
    t.not(focus?.outline, 'none', `the focus is seen on ${focus?.name}`)
    if (focus?.isWanted) return
    if (focus?.isThere !== true) handle = await wanted.elementHandle()
  }
  t.fail('Tab does not reach the element')
}

t.test('a plant can be created by keyboard alone, with a focus that is always visible', async (t) => {
  const docs = await DocsPage.open(t, context, site)
  await docs.visit()
  const { keyboard } = docs.page
  await tabTo(t, docs, docs.page.getByRole('link', { name: 'Create a plant' }))
  await keyboard.press('Enter')
  await tabTo(t, docs, docs.token)
  await keyboard.type(token)
  await tabTo(t, docs, docs.page.getByRole('button', { name: 'Test Request' }))
  await keyboard.press('Enter')
  await docs.body.waitFor()
  await tabTo(t, docs, docs.body)
  await keyboard.type(' ')
  const send = docs.client.getByRole('button', { name: /^Send post request/ })
  await tabTo(t, docs, send)
  const answered = docs.page.waitForResponse((response) => response.request().method() === 'POST')
  await keyboard.press('Enter')
  t.equal((await answered).status(), 200)
  await docs.closeClient()
})

const form = {
  type: 'object',
  required: ['photo', 'title'],
  properties: {
    photo: { $ref: '#/components/schemas/Photo' },
    title: { type: 'string', examples: ['A leaf'] }
  }
}
const tick = { type: 'object', properties: { event: { const: 'tick' }, data: { type: 'object' } } }
const encoding = { photo: { contentType: 'image/png' } }
const photos = {
  post: {
    operationId: 'addPhoto',
    tags: ['photos'],
    requestBody: { required: true, content: { 'multipart/form-data': { schema: form, encoding } } },
    responses: { 204: { description: 'Added' } }
  }
}
const ticks = {
  get: {
    operationId: 'follow',
    tags: ['ticks'],
    responses: { 200: { description: 'Ticks', content: { 'text/event-stream': { itemSchema: tick } } } }
  }
}

t.test('the sample of an upload works when it is pasted; an event stream is shown as it comes', async (t) => {
  const contract = await compiled(t, {
    openapi: '3.2.0',
    servers: [{ url: '.' }],
    paths: { '/photos': photos, '/ticks': ticks },
    components: { schemas: { Photo: { type: 'string', contentMediaType: 'image/png' } } }
  })
  const received: unknown[] = []
  const [shown, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  async function* items(signal: AbortSignal) {
    yield { event: 'tick', data: { count: 1 } }
    await shown.promise
    yield { event: 'tick', data: { count: 2 } }
    await once(signal, 'abort')
    left.resolve()
  }
  const { port } = await serve(t, contract, {
    handlers: {
      addPhoto: ({ body }: { body: { photo: Buffer; title: string } }) => {
        received.push([String(body.photo), body.title])
        return { status: 204 }
      },
      follow: ({ signal }: { signal: AbortSignal }) => ({ status: 200, body: items(signal) })
    },
    extend: (server) => {
      server.register(async (scope) => registerDocs(scope, { basePath: '', contract, headers: {} }))
    }
  })
  const page = await context.newPage()
  await page.goto(`http://127.0.0.1:${port}/docs#tag/photos/POST/photos`)
  await page.getByText('--form').first().waitFor()
  const sample = await page.locator('.request-card pre').first().innerText()
  const command = sample.replaceAll(/^\d+$\n?/gm, '')
  const [, file = ''] = /photo=@([^;']+)/.exec(command) ?? []
  const folder = t.testdir({ [file]: 'bytes' })
  await promisify(execFile)('sh', ['-c', command], { cwd: folder })
  t.strictSame(received, [['bytes', 'A leaf']], command)

  await page.goto('about:blank')
  await page.goto(`http://127.0.0.1:${port}/docs#tag/ticks/GET/ticks`)
  await page.getByRole('button', { name: 'Test Request' }).last().click()
  const client = page.getByRole('dialog')
  await client.getByRole('button', { name: /^Send get request/ }).click()
  const answer = client.getByRole('region', { name: 'Response', exact: true })
  await answer.getByText('200 OK').waitFor()
  await answer.getByText('{"count":1}').waitFor()
  t.equal(await answer.getByText('{"count":2}').count(), 0, 'the second is not made yet')
  shown.resolve()
  await answer.getByText('{"count":2}').waitFor()
  if (process.env['PICTURES'] !== undefined) await page.screenshot({ path: picturePath('stream-1300') })
  await page.close()
  await left.promise
})

t.test('a page of another origin calls a service by the built client', async (t) => {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end())
  t.teardown(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const service = await serveSite(t, '/api', { CORS_ORIGIN: origin })
  const contents = `import { createClient } from './src/engine/client.ts'
import { createPlant } from './generated/client.js'
const baseUrl = ${JSON.stringify(`${service.origin}/api`)}
const tokens = ['expired', ${JSON.stringify(token)}]
const client = createClient({ createPlant }, { baseUrl, security: { bearerAuth: () => tokens.shift() } })
globalThis.answer = client.createPlant({ body: { id: 9223372036854775807n, name: 'Fern' } })`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm'
  })
  const page = await context.newPage()
  await page.goto(origin)
  await page.addScriptTag({ type: 'module', content: String(outputFiles[0]?.text) })
  // A module runs after the tag is there.
  await page.waitForFunction('globalThis.answer')
  t.strictSame(await page.evaluate('answer.then(({ status, body }) => ({ status, body }))'), {
    status: 200,
    body: { name: 'Fern' }
  })
  await page.close()
  t.match(await service.stored(), [{ id: 9223372036854775807n }])
})

t.test('a page is loaded anew when a busy service has refused a file of it, and then itself', async (t) => {
  const page = await context.newPage()
  t.teardown(() => page.close())
  await page.route(/scalar\.js/, overloaded, { times: 1 })
  const opened: number[] = []
  page.on('response', (response) => {
    if (!response.url().endsWith('/docs')) return
    opened.push(response.status())
    if (opened.length === 1) void page.route(/\/docs$/, overloaded, { times: 1 })
  })
  await page.goto(`${site.origin}/docs`)
  await page.getByRole('textbox', { name: 'Bearer Token' }).first().waitFor()
  t.match(opened, [200, 503, 200, 200])
})

t.test('a contract of other servers is tried here, with a token of its own token URL', async (t) => {
  const tokens = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*')
    response.setHeader('content-type', 'application/json')
    response.end(request.method === 'POST' ? '{"access_token":"fresh","token_type":"bearer"}' : '{}')
  })
  t.teardown(() => tokens.close())
  tokens.listen(0, '127.0.0.1')
  await once(tokens, 'listening')
  const tokenUrl = `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`
  const flows = { clientCredentials: { tokenUrl, scopes: { read: 'Read' } } }
  const lights = await compiled(t, {
    info: { title: 'Lighthouse API', version: '2026-11' },
    security: [{ login: ['read'] }],
    servers: [{ url: 'https://lights.example/v2' }, { url: 'https://staging.lights.example/v2' }],
    paths: {
      '/lights': {
        servers: [{ url: 'https://elsewhere.example' }],
        get: {
          operationId: 'listLights',
          summary: 'List lights',
          tags: ['lights'],
          responses: { 200: { description: 'Lights', content: { 'application/json': {} } } }
        }
      }
    },
    components: { securitySchemes: { login: { type: 'oauth2', flows } } }
  })
  const service = defineService({
    contract: lights,
    security: { login: (given: string) => given === 'fresh' && { id: 'keeper', scopes: ['read'] } },
    handlers: () => ({
      listLights: ({ basePath }: { basePath: string }) => ({ status: 200, body: [basePath] })
    }),
    errorBody: ({ message }: { message: string }) => ({ message })
  })
  const app = await buildApp(service, { environment: {} })
  t.teardown(() => app.close())
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const page = await context.newPage()
  await openWhole(page, `${origin}/v2/docs#tag/lights/GET/lights`)
  await page.getByText(`curl ${origin}/v2/lights`).first().waitFor()
  t.equal(await page.title(), 'Lighthouse API')
  await page.getByText('Version 2026-11').first().waitFor()
  await page.locator('[data-placeholder="12345"]').first().click()
  await page.keyboard.type('page')
  await page.getByRole('textbox', { name: 'Client Secret' }).first().fill('secret')
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  await page.getByText('Access Token').first().waitFor()
  await page.getByRole('button', { name: 'Test Request' }).click()
  const client = page.getByRole('dialog')
  await client.getByRole('button', { name: /^Send get request/ }).click()
  const answer = client.getByRole('region', { name: 'Response', exact: true })
  await answer.getByText('200 OK').waitFor()
  await answer.getByText('"/v2"').waitFor()
  await page.close()
})
