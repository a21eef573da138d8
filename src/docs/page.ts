/** The page at /docs: its files, and the HTML that names them by version. */
import { readFile } from 'node:fs/promises'
import type { Contract } from '../contract/contract.ts'
import { type Asset, createAsset } from './asset.ts'
import { readScalar } from './scalar.ts'

/** What the page is made of, by path below the base path. */
export type Page = Readonly<Record<PagePath, Asset>>
export type PagePath = '/docs' | (typeof files)[number]['path']

const javascript = 'text/javascript; charset=utf-8'
const files = [
  { name: 'scalar', path: '/docs/scalar.js', mediaType: javascript, read: readScalar },
  { name: 'exactJson', path: '/docs/exact-json.js', mediaType: javascript, read: () => own('exact-json.js') },
  { name: 'start', path: '/docs/start.js', mediaType: javascript, read: () => own('start.js') },
  {
    name: 'style',
    path: '/docs/style.css',
    mediaType: 'text/css; charset=utf-8',
    read: () => own('style.css')
  },
  { name: 'favicon', path: '/docs/favicon.svg', mediaType: 'image/svg+xml', read: () => own('favicon.svg') }
] as const

export const pagePaths: readonly PagePath[] = ['/docs', ...files.map(({ path }) => path)]

const own = (file: string): Promise<string> => readFile(new URL(`page/${file}`, import.meta.url), 'utf8')

export async function readPage(basePath: string, { title, version }: Contract): Promise<Page> {
  const read = files.map(async (file) => ({ ...file, asset: createAsset(file.mediaType, await file.read()) }))
  const assets = await Promise.all(read)
  const urls = assets.map(({ name, path, asset }) => [name, `${basePath}${path}?v=${asset.version}`])
  const html = fill(await own('index.html'), {
    ...Object.fromEntries(urls),
    title,
    version,
    contract: `${basePath}/openapi.json`,
    yaml: `${basePath}/openapi.yaml`
  })
  return {
    '/docs': createAsset('text/html; charset=utf-8', html),
    ...Object.fromEntries(assets.map(({ path, asset }) => [path, asset]))
  } as Page
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce(
    (html, [name, value]) => html.replaceAll(`{{${name}}}`, () => escapeHtml(value)),
    template
  )
}

/** For text and for double-quoted attributes. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
