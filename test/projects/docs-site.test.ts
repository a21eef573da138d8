/** `npm run docs` builds a site of the pages: every internal link works, the search finds, no page is wider than a phone. */

import { once } from 'node:events'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, resolve } from 'node:path'
import t from 'tap'
import { launchChromium } from '../e2e/chromium.ts'
import { shell } from './shell.ts'

t.setTimeout(900_000)

const project = resolve(import.meta.dirname, '../..')
const site = join(project, 'docs/site/dist')
const isPictured = process.env['PICTURES'] !== undefined

/** Returns the file of a path, as static hosts find it. */
const fileOf = (path: string): string | undefined =>
  [path, join(path, 'index.html'), `${path}.html`]
    .map((name) => join(site, decodeURIComponent(name)))
    .find((file) => existsSync(file) && statSync(file).isFile())

t.test('npm run docs builds a page for each document', async (t) => {
  const { code, output } = await shell('npm run docs', { folder: project })
  t.equal(code, 0, output)
  for (const page of globSync('docs/{,tasks/}*.md', { cwd: project }))
    t.ok(fileOf(page.replace(/README\.md$/, '').replace(/\.md$/, '')), page)
})

t.test('every link inside the site leads to a page that is there, and to its heading', async (t) => {
  const pages = new Map(
    globSync('**/*.html', { cwd: site }).map((name) => [name, readFileSync(join(site, name), 'utf8')])
  )
  let count = 0
  for (const [name, html] of pages)
    for (const [, href = ''] of html.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      const url = new URL(href.replaceAll('&amp;', '&'), `http://site/${name}`)
      if (url.host !== 'site') continue
      count++
      const file = fileOf(url.pathname)
      if (!t.ok(file, `${name}: ${href}`) || url.hash === '' || file === undefined) continue
      const id = decodeURIComponent(url.hash.slice(1))
      t.ok(readFileSync(file, 'utf8').includes(`id="${id}"`), `${name}: ${href}`)
    }
  t.ok(count > 1_000, `${count} links`)
})

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml'
}
const server = createServer((request, response) => {
  const file = fileOf(new URL(request.url ?? '/', 'http://site').pathname)
  if (file === undefined) return void response.writeHead(404).end()
  response
    .writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
    .end(readFileSync(file))
})
await once(server.listen(0, '127.0.0.1'), 'listening')
t.teardown(() => server.close())
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const browser = await launchChromium()
t.teardown(() => browser.close())

const looks = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1300, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1300, height: 900 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } }
] as const

for (const { name, ...look } of looks)
  t.test(`pages at ${name}`, async (t) => {
    const page = await browser.newPage(look)
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    for (const path of [
      '',
      'docs/',
      'docs/operating',
      'docs/commands',
      'docs/tasks/users',
      'docs/contract-diff',
      'docs/comparison',
      'docs/rooms'
    ]) {
      await page.goto(`${url}/${path}`, { waitUntil: 'networkidle' })
      const picture = `test-results/screenshots/site-${name}-${path.replaceAll('/', '-') || 'home'}.png`
      if (isPictured) await page.screenshot({ path: join(project, picture) })
      const width = await page.evaluate('document.documentElement.scrollWidth')
      t.ok(Number(width) <= look.viewport.width, `${path}: ${width} pixels`)
    }
    t.strictSame(errors, [])
    await page.close()
  })

t.test('the search finds a page by a word of its text', async (t) => {
  const page = await browser.newPage({ viewport: { width: 1300, height: 900 } })
  await page.goto(`${url}/docs/`, { waitUntil: 'networkidle' })
  await page.keyboard.press('Control+k')
  await page.locator('.VPLocalSearchBox input').fill('HAProxy')
  const [first] = await page
    .locator('.VPLocalSearchBox .result')
    .allTextContents()
    .then(async (found) => {
      if (found.length > 0) return found
      await page.locator('.VPLocalSearchBox .result').first().waitFor()
      return page.locator('.VPLocalSearchBox .result').allTextContents()
    })
  t.match(first, /Operate the service.*Fail over/s)
  if (isPictured) await page.screenshot({ path: join(project, 'test-results/screenshots/site-search.png') })
  await page.close()
})
