import { existsSync, readFileSync } from 'node:fs'
import { test } from 'tap'
import { plain } from '../src/contract/compile/report.ts'
import { welcome } from '../src/welcome.ts'

const readme = readFileSync('README.md', 'utf8')
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }

test('every command that a document names is there', async (t) => {
  for (const file of [
    'README.md',
    'CONTRIBUTING.md',
    'docs/architecture.md',
    'docs/operating.md',
    'docs/scaling.md'
  ]) {
    const named = readFileSync(file, 'utf8').matchAll(/npm (?:run (?:--silent )?([\w:]+)|(start|test))/g)
    for (const [command, name = '', short = ''] of named) t.ok(scripts[name || short], `${file}: ${command}`)
  }
})

test('the line to paste is the one that npm start prints', async (t) => {
  const printed = welcome({ url: 'http://127.0.0.1:3000', token: undefined }, plain)
  const [, pasted = 'none'] = /```sh\n(curl .*)\n```/.exec(readme) ?? []
  t.ok(printed.includes(pasted))
})

test('the tree in the README is the tree', async (t) => {
  const [, tree = ''] = /## How it is built\n\n```\n(.*?)```/s.exec(readme) ?? []
  const folders: string[] = []
  for (const line of tree.split('\n').filter((text) => text !== '')) {
    const depth = (/^ */.exec(line)?.[0].length ?? 0) / 2
    for (const name of line.trim().split(/ {2,}/)[0]?.split(', ') ?? []) {
      const path = [...folders.slice(0, depth), name].join('').replaceAll('//', '/')
      t.ok(existsSync(path), path)
      if (name.endsWith('/')) folders.splice(depth, folders.length, name)
    }
  }
})

test('every link inside the project leads somewhere', async (t) => {
  for (const [, path = ''] of readme.matchAll(/\]\(([^)#:]+)\)/g)) t.ok(existsSync(path), path)
})
