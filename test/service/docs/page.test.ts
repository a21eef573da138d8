import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'tap'
import contract from '../../../generated/contract.ts'
import pageFiles from '../../../src/service/docs/page-files.json' with { type: 'json' }
import { pageFile, pagePaths, readPage } from '../../../src/service/docs/register.ts'

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
