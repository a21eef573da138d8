/** The docs page at several widths, in dark mode, and by keyboard. */
import type { Locator } from 'playwright-core'
import t from 'tap'
import contract from '../../generated/contract.ts'
import { launchChromium } from './chromium.ts'
import { DocsPage, token } from './docs-page.ts'

// The machine may run many tests at once.
t.setTimeout(300_000)
const browser = await launchChromium()
t.teardown(() => browser.close())

/** Returns the first column of the table in the contract's description. */
async function documentedCodes(): Promise<string[]> {
  const { info } = JSON.parse(await contract.document())
  return [...info.description.matchAll(/^\| (\d{4}) \|/gm)].map(([, code]) => code)
}

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

for (const width of [320, 390, 820, 1280]) {
  t.test(`at a width of ${width}: nothing is cut off`, async (t) => {
    const docs = await DocsPage.visit(t, browser, { viewport: { width, height: 844 } })
    const overflow = 'document.documentElement.scrollWidth - innerWidth'
    t.equal(await docs.page.evaluate(overflow), 0)
    await docs.picture(`width-${width}-top`)

    const codes = docs.page.getByRole('table').first().locator('tbody tr td:first-child')
    t.strictSame(await codes.allInnerTexts(), await documentedCodes())
    t.strictSame(await lines(codes), [1], 'a number is on one line')

    await docs.token.fill(token)
    await docs.page.goto(`${docs.origin}/docs#tag/plants/POST/plants`)
    await docs.openClient()
    t.equal((await docs.send()).status(), 200)
    await docs.answer.getByText('"climber"').scrollIntoViewIfNeeded()
    t.equal(await docs.page.evaluate(overflow), 0)
    await docs.picture(`width-${width}-created`)
  })
}

t.test('the page has the colour scheme of the system, also when that changes', async (t) => {
  const docs = await DocsPage.visit(t, browser, { colorScheme: 'dark' })
  const background = () => docs.page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  t.match(await background(), /^rgb\(\d\d?, /)
  await docs.picture('dark')
  await docs.page.emulateMedia({ colorScheme: 'light' })
  await docs.page.locator('body.light-mode').waitFor()
  t.equal(await background(), 'rgb(255, 255, 255)')
})

const focus = `(() => {
  const element = document.activeElement
  const name = (element.getAttribute('aria-label') ?? element.textContent).trim()
  // The body has the focus between the last element and the first.
  return { name, outline: element === document.body ? undefined : getComputedStyle(element).outlineStyle }
})()`

t.test('a plant can be created by keyboard alone, with a focus that is always visible', async (t) => {
  const docs = await DocsPage.visit(t, browser)
  const { keyboard } = docs.page
  const focused = () => docs.page.evaluate<{ name: string; outline?: string }>(focus)
  const tabTo = async (wanted: () => Promise<boolean>) => {
    for (let tabs = 0; tabs < 120; tabs++) {
      await keyboard.press('Tab')
      const { name, outline } = await focused()
      t.not(outline, 'none', `the focus is seen on ${name}`)
      if (await wanted()) return
    }
    t.fail('Tab does not reach the element')
  }
  const has = (locator: typeof docs.token) => () =>
    locator.evaluate((element) => element === element.ownerDocument.activeElement)

  await tabTo(has(docs.page.getByRole('link', { name: 'Create a plant' })))
  await keyboard.press('Enter')
  await tabTo(has(docs.token))
  await keyboard.type(token)
  await tabTo(has(docs.page.getByRole('button', { name: 'Test Request' })))
  await keyboard.press('Enter')
  await docs.body.waitFor()
  await tabTo(has(docs.body))
  await keyboard.type(' ')
  const send = docs.client.getByRole('button', { name: /^Send post request/ })
  await tabTo(has(send))
  const answered = docs.page.waitForResponse((response) => response.request().method() === 'POST')
  await keyboard.press('Enter')
  t.equal((await answered).status(), 200)
  await keyboard.press('Escape')
  await docs.client.waitFor({ state: 'hidden' })
  t.equal((await docs.stored()).length, 1)
})
