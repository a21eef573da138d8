/** Page at /docs: its files, and the HTML that refers to them by version. */
import { readFile } from 'node:fs/promises'
import type { Contract } from '@contract-first/engine/server'
import { type Asset, createAsset } from './asset.ts'

export type Page = Readonly<Record<PagePath, Asset>>
type PagePath = '/docs' | (typeof files)[number]['path']

const ownFile = (file: string) => () => pageFile(file, import.meta.url)
const javascript = 'text/javascript; charset=utf-8'
const css = 'text/css; charset=utf-8'
const files = [
  { path: '/docs/scalar.js', mediaType: javascript, read: () => readScalar() },
  { path: '/docs/exact-json.js', mediaType: javascript, read: ownFile('exact-json.js') },
  { path: '/docs/session.js', mediaType: javascript, read: ownFile('session.js') },
  { path: '/docs/requests.js', mediaType: javascript, read: ownFile('requests.js') },
  { path: '/docs/accessibility.js', mediaType: javascript, read: ownFile('accessibility.js') },
  { path: '/docs/print.js', mediaType: javascript, read: ownFile('print.js') },
  { path: '/docs/start.js', mediaType: javascript, read: ownFile('start.js') },
  { path: '/docs/style.css', mediaType: css, read: ownFile('style.css') },
  { path: '/docs/favicon.svg', mediaType: 'image/svg+xml', read: ownFile('favicon.svg') }
] as const

export const pagePaths: readonly PagePath[] = ['/docs', ...files.map(({ path }) => path)]

export async function readPage(basePath: string, { title, version }: Contract): Promise<Page> {
  const read = files.map(async (file) => [file.path, createAsset(file.mediaType, await file.read())] as const)
  const assets = await Promise.all(read)
  const html = fill(await ownFile('index.html')(), {
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

/**
 * Reads the script from the package, a Fastify plugin that contains it as a string literal. Importing the plugin would
 * load 25 packages that the script does not need, and block the event loop for 250 ms.
 */
export async function readScalar(resolve = import.meta.resolve): Promise<string> {
  try {
    return scriptIn(await readFile(new URL(resolve('@scalar/fastify-api-reference')), 'utf8'))
  } catch {
    return servedScript()
  }
}

function scriptIn(module: string): string {
  const literal = module.replace(/^[\s\S]*^var standalone_default = (".*");$[\s\S]*$/m, '$1')
  return JSON.parse(literal.replaceAll(/\p{Cc}/gu, escapeControl))
}

/** Gets the script from the plugin, in a bundle, where the package is not a file. */
async function servedScript(): Promise<string> {
  const [{ default: fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference')
  ])
  const app = fastify()
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  return (await app.inject('/docs/js/scalar.js')).payload
}

/** Escapes a control character, which JavaScript allows in a string literal and JSON does not. */
function escapeControl(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
}
