/** `npm run dev` and the docs page in a real browser: the page shows a saved contract, and keeps the token. */
import t from 'tap'
import { DevSession } from '../compiler/command/dev/dev-session.ts'
import { breakSecurity, fixSecurity } from '../scripts/contract-edits.ts'
import { launchChromium } from './chromium.ts'
import { overloaded } from './docs-page.ts'

t.setTimeout(900_000)

t.test('the open page shows the saved contract; a bar says what is wrong with the last save', async (t) => {
  const browser = await launchChromium()
  t.teardown(() => browser.close())
  const dev = await DevSession.start(t, { checksTypes: true })
  await dev.shows(/types are right/)
  const page = await browser.newPage()
  page.setDefaultTimeout(120_000)
  const violations: string[] = []
  let loads = 0
  page.on('load', () => loads++)
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) violations.push(message.text())
  })
  const token = page.getByRole('textbox', { name: 'Bearer Token' }).first()
  /** Opens the whole page; loads by itself are counted from then on. */
  const openWhole = async () => {
    // The service sheds load on a busy machine.
    while ((await page.goto(`${dev.url}/docs`))?.status() === 503);
    await token.waitFor()
    await page.waitForLoadState('load')
    loads = 0
  }
  for (const file of [/scalar/, /openapi\.json/]) await page.route(file, overloaded, { times: 1 })
  await openWhole()
  await token.fill(dev.token)
  await dev.copy.edit('openapi.yaml', (text) => text.replace(/^ {2}title: .*/m, '  title: Plant Shop'))
  await page.getByRole('heading', { name: 'Plant Shop' }).first().waitFor()
  await token.waitFor()
  t.match(await token.inputValue(), dev.token, 'the token is the same, and still there')
  await dev.shows(/types are right/)
  loads = 0
  const bar = page.getByRole('alert').filter({ hasText: 'npm run dev' })

  t.comment('the contract')
  await dev.copy.edit('openapi.yaml', breakSecurity)
  await bar.waitFor()
  t.match(
    await bar.innerText(),
    /^npm run dev: the contract is broken\nopenapi\.yaml:\d+:5 security scheme bearer is not declared/
  )
  t.equal(loads, 0, 'the page has not reloaded by itself')
  await openWhole()
  await bar.waitFor()
  await dev.copy.edit('openapi.yaml', fixSecurity)
  await bar.waitFor({ state: 'detached' })
  await dev.shows(/serving as before\ntypes are right/)

  t.comment('the types')
  const handler = await dev.copy.read('src/plants/create-plant.ts')
  await dev.copy.edit('src/plants/create-plant.ts', (text) => text.replace('status: 400', 'status: 409'))
  await bar.waitFor()
  const line = handler.split('\n').findIndex((text) => text.includes('status: 400')) + 1
  const message = `src/plants/create-plant.ts:${line}:3 Type '409' is not assignable to type '200 | 400 | 401 | 404`
  t.match(await bar.innerText(), `npm run dev: the types are wrong\n${message}`)
  t.match(await dev.shows(/types are wrong/), message)

  t.comment('the server')
  await dev.copy.edit('src/plants/create-plant.ts', (text) => `${text}\nconst =\n`)
  await bar
    .filter({ hasText: 'the server did not start' })
    .filter({ hasText: 'Variable declaration expected. (TS1134)' })
    .waitFor()
  t.match(await dev.shows(/types are wrong/), /SyntaxError[\s\S]*the last good server goes on/)
  await dev.copy.edit('src/plants/create-plant.ts', () => handler)
  await bar.waitFor({ state: 'detached' })
  t.notMatch(await dev.shows(/types are right/), 'types are wrong')
  t.equal(loads, 0, 'the page has not reloaded by itself')
  t.same(violations, [])
  t.equal(await dev.end('SIGINT'), 0)
})
