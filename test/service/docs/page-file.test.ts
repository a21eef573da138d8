import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'tap'
import { pageFile } from '../../../src/service/docs/page-file.ts'
import { pageFiles } from '../../../src/service/docs/page-files.ts'

const folder = 'src/service/docs/page'

test('in a bundle the files of the page are those of the folder', async (t) => {
  const files = readdirSync(folder).sort()
  t.strictSame(Object.keys(pageFiles), files)
  for (const file of files) {
    const text = readFileSync(`${folder}/${file}`, 'utf8')
    t.ok((await pageFile(file, undefined)) === text, `run "npm run docs:page" after an edit of ${file}`)
  }
})
