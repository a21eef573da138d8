import { readdirSync, readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import fastify from 'fastify'
import { test } from 'tap'
import contract from '../../../generated/contract.ts'
import { scalarCopy } from '../../../scripts/docs/scalar-copy.ts'
import pageFiles from '../../../src/service/docs/page-files.json' with { type: 'json' }
import { pageFile, pagePaths, readPage, readScalar } from '../../../src/service/docs/register.ts'
import copy from '../../../src/service/docs/scalar.json' with { type: 'json' }

test('the page names every file by its version, below the base path', async (t) => {
  const page = await readPage('/api', contract)
  const html = String(await page['/docs'].encoded('identity'))
  for (const path of pagePaths.filter((each) => each !== '/docs'))
    t.ok(html.includes(`"/api${path}?v=${page[path].version}"`), path)
  t.match(html, /<title>Plant Store<\/title>/)
  t.notMatch(html, /\{\{|undefined/)
})

test('a title is text, whatever is in it', async (t) => {
  const page = await readPage('', { ...contract, title: '"><script>&' })
  const html = String(await page['/docs'].encoded('identity'))
  t.match(html, /<title>&#34;&#62;&#60;script&#62;&#38;<\/title>/)
})

test('it holds no script in itself, so its policy need not allow any', async (t) => {
  const page = await readPage('', contract)
  const html = String(await page['/docs'].encoded('identity'))
  t.notMatch(html, /<script(?![^>]*\ssrc=)|\son\w+=|javascript:/)
})

test('a title that holds the name of a value is shown as it is', async (t) => {
  const page = await readPage('', { ...contract, title: '{{version}} and {{/docs/scalar.js}}', version: '9' })
  const html = String(await page['/docs'].encoded('identity'))
  t.match(html, '<title>{{version}} and {{/docs/scalar.js}}</title>')
})

const folder = 'src/service/docs/page'

test('in a bundle the files of the page are those of the folder', async (t) => {
  const files = readdirSync(folder).sort()
  t.strictSame(Object.keys(pageFiles), files)
  for (const file of files) {
    const text = readFileSync(`${folder}/${file}`, 'utf8')
    t.ok((await pageFile(file, undefined)) === text, `run "npm run docs:page" after an edit of ${file}`)
  }
})

test('the script is the one that the package would serve', async (t) => {
  const app = fastify()
  t.teardown(() => app.close())
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { payload } = await app.inject('/docs/js/scalar.js')
  t.ok(payload.length > 1_000_000)
  const { encoded } = await readScalar()
  t.ok(String(await encoded('identity')) === payload)
  t.ok(String(brotliDecompressSync(await encoded('br'))) === payload)
})

test('the copy is of the installed package, and names its version and licence', async (t) => {
  t.match(copy.license, /^MIT License\n\nCopyright/)
  t.ok(
    JSON.stringify(scalarCopy(copy)) === JSON.stringify(copy),
    'run "npm run docs:page" after an update of Scalar'
  )
})
