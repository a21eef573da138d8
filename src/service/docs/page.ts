/** Page at /docs: its files, and the HTML that refers to them by version. */
import { readFile } from 'node:fs/promises'
import type { Contract } from '@contract-first/engine/server'
import { type Asset, createAsset } from './asset.ts'

export type Page = Readonly<Record<PagePath, Asset>>
type PagePath = '/docs' | (typeof files)[number]['path']

const javascript = 'text/javascript; charset=utf-8'
const css = 'text/css; charset=utf-8'
const own = (file: string, mediaType: string) => async () =>
  createAsset(mediaType, await pageFile(file, import.meta.url))
const files = [
  { path: '/docs/scalar.js', read: () => readScalar() },
  { path: '/docs/exact-json.js', read: own('exact-json.js', javascript) },
  { path: '/docs/session.js', read: own('session.js', javascript) },
  { path: '/docs/examples.js', read: own('examples.js', javascript) },
  { path: '/docs/requests.js', read: own('requests.js', javascript) },
  { path: '/docs/accessibility.js', read: own('accessibility.js', javascript) },
  { path: '/docs/print.js', read: own('print.js', javascript) },
  { path: '/docs/start.js', read: own('start.js', javascript) },
  { path: '/docs/style.css', read: own('style.css', css) },
  { path: '/docs/favicon.svg', read: own('favicon.svg', 'image/svg+xml') }
] as const

export const pagePaths: readonly PagePath[] = ['/docs', ...files.map(({ path }) => path)]

export async function readPage(basePath: string, { title, version }: Contract): Promise<Page> {
  const assets = await Promise.all(files.map(async ({ path, read }) => [path, await read()] as const))
  const html = fill(await pageFile('index.html', import.meta.url), {
    title,
    version,
    '/openapi.json': `${basePath}/openapi.json`,
    '/openapi.yaml': `${basePath}/openapi.yaml`,
    ...Object.fromEntries(assets.map(([path, asset]) => [path, `${basePath}${path}?v=${asset.version}`]))
  })
  return { '/docs': createAsset('text/html; charset=utf-8', html), ...Object.fromEntries(assets) } as Page
}

/**
 * Reads a file of the page: the one beside this module, or its copy in a bundle, which holds modules and JSON only.
 * @param base `import.meta.url`; undefined in a bundle of CommonJS
 */
export async function pageFile(name: string, base: string | undefined): Promise<string> {
  try {
    return await readFile(new URL(`page/${name}`, base), 'utf8')
  } catch {
    const { default: copies } = await import('./page-files.json', { with: { type: 'json' } })
    return copies[name as keyof typeof copies]
  }
}

/** Replaces names such as `{{title}}` by their values, in one pass, because a value may contain such a name. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{\{([^{}]+)\}\}/g, (_text, name) => escapeHtml(String(values[name])))
}

/** Escapes text for elements and for double-quoted attributes. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Reads Scalar's script from the copy of it, because its package installs 30 others that the script does not need. */
export async function readScalar(): Promise<Asset> {
  const [{ default: copy }, { promisify }, { brotliDecompress }] = await Promise.all([
    import('./scalar.json', { with: { type: 'json' } }),
    import('node:util'),
    import('node:zlib')
  ])
  const br = Buffer.from(copy.brotli, 'base64')
  return createAsset(javascript, await promisify(brotliDecompress)(br), { br })
}
