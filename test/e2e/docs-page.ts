/** Opens /docs in Chromium, served by the service with a SQLite store, and records its requests and console output. */
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { BrowserContext, Locator, Page, Response, Route } from 'playwright-core'
import type { Test } from 'tap'
import { buildApp } from '../../src/app.ts'
import { openStore } from '../../src/open-store.ts'
import { readConfig } from '../../src/service/config/config.ts'
import type { StoredPlant } from '../../src/store/store.ts'
import { exported } from '../store/conformance.ts'

export const token = 'hunter2'
const pictures = resolve(import.meta.dirname, '../../test-results/screenshots')

/** Path of a screenshot. */
export const picturePath = (name: string): string => join(pictures, `${name}.png`)

export interface Site {
  /** URL of the service, without its base path. */
  readonly origin: string
  readonly basePath: string
  readonly stored: () => Promise<StoredPlant[]>
}

/** Starts the service with an empty store. */
export async function serveSite(t: Test, basePath = '', environment = {}): Promise<Site> {
  const config = readConfig({ BASE_URL: `http://127.0.0.1${basePath}`, ...environment })
  const folder = join(t.testdir({ [basePath]: {} }), basePath)
  const store = await openStore(`sqlite:${join(folder, 'plants.db')}`)
  const authenticate = (given: string) =>
    given === token ? { id: 'tests', scopes: [], claims: {} } : undefined
  const app = await buildApp({ config, store, authenticate })
  t.teardown(async () => {
    await app.close()
    await store.close()
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return { origin, basePath, stored: () => exported(store) }
}

/** Opens a page, and opens it anew when the service, on a busy machine, has shed one of its files. */
export async function openWhole(page: Page, url: string): Promise<void> {
  let isShed = false
  const heed = (response: Response) => {
    if (response.status() === 503) isShed = true
  }
  page.on('response', heed)
  do {
    isShed = false
    await page.goto('about:blank')
    await page.goto(url)
  } while (isShed)
  page.off('response', heed)
}

/** Answers as a busy service does. */
export const overloaded = (route: Route): Promise<void> =>
  route.fulfill({
    status: 503,
    headers: { 'retry-after': '1' },
    json: { error: 5030, message: 'overloaded' }
  })

export class DocsPage {
  readonly page: Page
  readonly site: Site
  /** Console output, policy violations included: `type: text`. */
  console: string[] = []
  /** URLs of all requests. */
  readonly requests: string[] = []
  /** True if the service, on a stalled machine, has shed a request since it was set to false. */
  #isShed = false

  private constructor(page: Page, site: Site) {
    this.page = page
    this.site = site
    page.on('console', (message) => this.console.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => this.console.push(`uncaught: ${error.message}`))
    page.on('request', (request) => this.requests.push(request.url()))
    page.on('response', (response) => {
      if (response.status() === 503) this.#isShed = true
    })
  }

  /** Opens a separate tab, without the requests and the token of others. */
  static async open(t: Test, browser: BrowserContext, site: Site): Promise<DocsPage> {
    const page = await browser.newPage()
    t.teardown(() => page.close())
    return new DocsPage(page, site)
  }

  /** @param hash fragment of the URL: `#tag/plants/POST/plants` */
  async visit(hash = ''): Promise<void> {
    const { origin, basePath } = this.site
    await this.load(async () => {
      // The same URL with another fragment would not load the page.
      await this.page.goto('about:blank')
      await this.page.goto(`${origin}${basePath}/docs${hash}`)
    })
  }

  /** Loads the page, and loads it anew when the service has shed one of its files. */
  async load(loadOnce: () => Promise<unknown>): Promise<void> {
    do {
      this.#isShed = false
      this.console = []
      await loadOnce()
      if (!this.#isShed) await this.token.waitFor()
    } while (this.#isShed)
  }

  get token(): Locator {
    return this.page.getByRole('textbox', { name: 'Bearer Token' }).first()
  }

  /** Returns the window in which a request is written and sent. */
  get client(): Locator {
    return this.page.getByRole('dialog')
  }

  /** Returns the body of the request, as text. */
  get body(): Locator {
    return this.client.locator('.cm-content[contenteditable=true]').first()
  }

  /** Returns the status and the body of the response. */
  get answer(): Locator {
    return this.client.getByRole('region', { name: 'Response', exact: true })
  }

  async openClient(): Promise<void> {
    await this.page.getByRole('button', { name: 'Test Request' }).click()
    await this.body.waitFor()
  }

  async closeClient(): Promise<void> {
    await this.page.keyboard.press('Escape')
    await this.client.waitFor({ state: 'hidden' })
  }

  async write(body: string): Promise<void> {
    await this.body.click()
    await this.page.keyboard.press('ControlOrMeta+A')
    await this.page.keyboard.insertText(body)
  }

  /** Sends the request, and sends it again when the service has shed it. */
  async send(): Promise<Response> {
    const answered = this.page.waitForResponse((response) => response.request().method() === 'POST')
    await this.client.getByRole('button', { name: /^Send post request/ }).click()
    if ((await answered).status() !== 503) return answered
    this.console = []
    return this.send()
  }

  /** Takes a screenshot if PICTURES is set: each takes as long as a page. */
  async picture(name: string): Promise<void> {
    if (process.env['PICTURES'] === undefined) return
    await mkdir(pictures, { recursive: true })
    await this.page.screenshot({ path: picturePath(name), animations: 'disabled' })
  }
}
