/** `npm run dev` and the docs page in a real browser: the page shows a saved contract, and keeps the token. */
import t from 'tap'
import { DevSession } from '../compiler/command/dev/dev-session.ts'
import { launchChromium } from './chromium.ts'

t.setTimeout(300_000)

t.test('the open page shows the saved contract', async (t) => {
  const browser = await launchChromium()
  t.teardown(() => browser.close())
  const dev = await DevSession.start(t)
  const page = await browser.newPage()
  page.setDefaultTimeout(60_000)
  const violations: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) violations.push(message.text())
  })
  const token = page.getByRole('textbox', { name: 'Bearer Token' }).first()

  await page.goto(`${dev.url}/docs`)
  await page.getByRole('heading', { name: 'Plant Store' }).waitFor()
  await token.fill(dev.token)
  for (const title of ['Plant Shop', 'Plant Stall']) {
    await dev.copy.edit('openapi.yaml', (text) => text.replace(/^ {2}title: .*/m, `  title: ${title}`))
    await page.getByRole('heading', { name: title }).waitFor()
  }
  await token.waitFor()
  t.match(await token.inputValue(), dev.token, 'the token is the same, and still there')
  t.same(violations, [])
  t.equal(await dev.end('SIGINT'), 0)
})
