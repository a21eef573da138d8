/** Opens /docs in Chromium, served by the service with a SQLite store, and records its requests and console output. */
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Browser, BrowserContextOptions, Locator, Page, Response } from 'playwright-core'
import type { Test } from 'tap'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/service/config/config.ts'
import { openStore } from '../../src/store/open.ts'
import type { StoredPlant } from '../../src/store/store.ts'

export const token = 'hunter2'
const pictures = resolve(import.meta.dirname, '../../test-results/screenshots')

export interface Visit extends BrowserContextOptions {
  readonly basePath?: string
  /** Fragment of the page's URL: `#tag/plants/POST/plants`. */
  readonly hash?: string
}

export class DocsPage {
  readonly page: Page
  readonly origin: string
  /** The console output, policy violations included: `type: text`. */
  readonly console: string[] = []
  /** The URL of every request. */
  readonly requests: string[] = []
  readonly stored: () => Promise<StoredPlant[]>

  private constructor(page: Page, origin: string, stored: () => Promise<StoredPlant[]>) {
    this.page = page
    this.origin = origin
    this.stored = stored
    page.on('console', (message) => this.console.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => this.console.push(`uncaught: ${error.message}`))
    page.on('request', (request) => this.requests.push(request.url()))
  }

  static async visit(t: Test, browser: Browser, visit: Visit = {}): Promise<DocsPage> {
    const { basePath = '', hash = '', ...options } = visit
    const { origin, stored } = await serve(t, basePath)
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
    t.teardown(() => context.close())
    context.setDefaultTimeout(30_000)
    const docs = new DocsPage(await context.newPage(), origin, stored)
    await docs.page.goto(`${origin}${basePath}/docs${hash}`)
    await docs.token.waitFor()
    return docs
  }

  get token(): Locator {
    return this.page.getByRole('textbox', { name: 'Bearer Token' }).first()
  }

  /** The window in which a request is written and sent. */
  get client(): Locator {
    return this.page.getByRole('dialog')
  }

  /** The body of the request, as text. */
  get body(): Locator {
    return this.client.locator('.cm-content[contenteditable=true]').first()
  }

  /** The status and the body of the response. */
  get answer(): Locator {
    return this.client.getByRole('region', { name: 'Response', exact: true })
  }

  async openClient(): Promise<void> {
    await this.page.getByRole('button', { name: 'Test Request' }).click()
    await this.body.waitFor()
  }

  async write(body: string): Promise<void> {
    await this.body.click()
    await this.page.keyboard.press('ControlOrMeta+A')
    await this.page.keyboard.insertText(body)
  }

  async send(): Promise<Response> {
    const answered = this.page.waitForResponse((response) => response.request().method() === 'POST')
    await this.client.getByRole('button', { name: /^Send post request/ }).click()
    return answered
  }

  /** Takes a screenshot. */
  async picture(name: string): Promise<void> {
    await mkdir(pictures, { recursive: true })
    await this.page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' })
  }
}

async function serve(t: Test, basePath: string) {
  const read = readConfig({ BASE_URL: `http://127.0.0.1${basePath}` })
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  const store = await openStore(`sqlite:${join(t.testdir({}), 'plants.db')}`)
  const authenticate = (given: string) => (given === token ? { id: 'tests' } : undefined)
  const app = await buildApp({ config: read.config, store, authenticate })
  t.teardown(async () => {
    await app.close()
    await store.close()
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return { origin, stored: () => Array.fromAsync(store.export()) }
}
