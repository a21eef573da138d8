/** The docs page in Chromium. The screenshots are in test-results/screenshots. */
import t from 'tap'
import { least } from '../time.ts'
import { launchChromium } from './chromium.ts'
import { DocsPage, token } from './docs-page.ts'

// The machine may run many tests at once.
t.setTimeout(300_000)
const browser = await launchChromium()
t.teardown(() => browser.close())
/** The fragment of the operation in the page's URL. */
const hash = '#tag/plants/POST/plants'

t.test(
  'the page has no branding of Scalar, writes nothing to the console and loads from its own origin only',
  async (t) => {
    const docs = await DocsPage.visit(t, browser)
    await docs.page.getByRole('heading', { name: 'Plant Store' }).waitFor()
    await docs.page.waitForLoadState('networkidle')
    t.strictSame(docs.console, [])
    t.ok(docs.requests.length > 5)
    t.strictSame(
      docs.requests.filter((url) => new URL(url).origin !== docs.origin),
      []
    )
    t.match(await docs.page.title(), /^Plant Store/)
    const icon = await docs.page.locator('link[rel~=icon]').getAttribute('href')
    t.match(await (await docs.page.request.get(`${docs.origin}${icon}`)).text(), /A seedling/)
    t.notMatch(await docs.page.innerText('body'), /scalar|\bAI\b|\bMCP\b|powered|share/i)
    t.equal(await docs.page.locator('a[href*="scalar.com"]:visible').count(), 0)
    t.equal(
      await docs.page.getByRole('link', { name: /^Download/ }).getAttribute('href'),
      `${docs.origin}/openapi.json`
    )
    await docs.picture('desktop')
  }
)

t.test('the first view takes less than a second of CPU time', async (t) => {
  const docs = await DocsPage.visit(t, browser)
  const session = await docs.page.context().newCDPSession(docs.page)
  // CPU time instead of wall-clock time: tests share the processor.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const cpuSeconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  const seconds = await least(1, async () => {
    await session.send('Network.clearBrowserCache')
    const before = await cpuSeconds()
    await docs.page.goto(`${docs.origin}/docs/`)
    await docs.page.getByRole('heading', { name: 'Plant Store' }).waitFor()
    await docs.token.waitFor()
    return (await cpuSeconds()) - before
  })
  t.ok(seconds > 0.1 && seconds < 1, `${seconds} s`)
})

t.test('plants that are created on the page, with one authorisation, are stored', async (t) => {
  const docs = await DocsPage.visit(t, browser, { hash })
  await docs.token.fill(token)
  await docs.openClient()
  t.notMatch(await docs.client.innerText(), /scalar/i)
  t.equal((await docs.send()).status(), 200)
  await docs.answer.getByText('200 OK').waitFor()
  await docs.answer.getByText('"Monstera deliciosa"').waitFor()
  await docs.picture('desktop-created')
  await docs.write('{ "id": 43, "name": "Aloe vera" }')
  t.equal((await docs.send()).status(), 200)
  t.strictSame(await docs.stored(), [
    { id: 1n, document: '{"name":"Monstera deliciosa","tag":"climber"}' },
    { id: 43n, document: '{"name":"Aloe vera"}' }
  ])
  t.strictSame(docs.console, [])
})

t.test('an id beyond 2^53 stays exact in the editor, in the form and in the code snippets', async (t) => {
  const docs = await DocsPage.visit(t, browser, { hash })
  await docs.token.fill(token)
  await docs.openClient()
  await docs.write('{ "id": 9007199254740993, "name": "of text" }')
  t.equal((await docs.send()).request().postData(), '{ "id": 9007199254740993, "name": "of text" }')

  await docs.client.getByRole('button', { name: 'Form', exact: true }).click()
  const id = docs.client.getByRole('combobox', { name: 'Body Value' }).first()
  t.equal(await id.innerText(), '9007199254740993')
  await id.fill('9223372036854775807')
  await id.press('Tab')
  t.match((await docs.send()).request().postData(), /"id": ?9223372036854775807\b/)
  await docs.client.getByRole('button', { name: /Code Snippet/ }).click()
  await docs.client.getByText('9223372036854775807,').last().waitFor()

  const ids = (await docs.stored()).map((plant) => plant.id)
  t.strictSame(ids, [9007199254740993n, 9223372036854775807n])
})

const refused: [what: string, given: string, body: string, status: number, shown: RegExp[]][] = [
  ['broken JSON', token, '{ "id": 1, ', 400, [/400 Bad Request/, /"error": ?4000/]],
  ['a plant without a name', token, '{ "id": 1 }', 400, [/"error": ?4001/, /body\/name is required/]],
  ['a wrong token', 'other', '{ "id": 1, "name": "x" }', 401, [/401 Unauthorized/, /"error": ?4011/]]
]

for (const [what, given, body, status, shown] of refused) {
  t.test(`${what} shows the Error`, async (t) => {
    const docs = await DocsPage.visit(t, browser, { hash })
    await docs.token.fill(given)
    await docs.openClient()
    await docs.write(body)
    t.equal((await docs.send()).status(), status)
    await docs.answer.getByText('"message"').waitFor()
    for (const each of shown) t.match(await docs.answer.innerText(), each)
    const [message, ...others] = docs.console
    t.match(message, /^error: Failed to load resource: .* status of 40[01]/, 'logged by the browser itself')
    t.strictSame(others, [])
    t.strictSame(await docs.stored(), [])
    await docs.picture(`desktop-refused-${status}`)
  })
}

t.test('the page below a base path calls the service there', async (t) => {
  const docs = await DocsPage.visit(t, browser, { basePath: '/gardens/api', hash })
  await docs.token.fill(token)
  await docs.openClient()
  const answer = await docs.send()
  t.equal(answer.url(), `${docs.origin}/gardens/api/plants`)
  t.equal(answer.status(), 200)
  await docs.answer.getByText('"climber"').waitFor()
  t.equal((await docs.stored()).length, 1)
  await docs.page.keyboard.press('Escape')
  await docs.page.getByText(`curl ${docs.origin}/gardens/api/plants`).first().waitFor()
  t.ok(docs.requests.every((url) => url.startsWith(`${docs.origin}/gardens/api/`)))
  t.strictSame(docs.console, [])
})
