/** Names in the documents: commands, files, folders and links. test/e2e/readme.test.ts runs the README. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'tap'

const readme = readFileSync('README.md', 'utf8')
/** Scripts of this repository, and of a new project. */
const scripts: Record<string, string> = Object.assign(
  {},
  ...['src/tools/new/command/templates', '.'].map(
    (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts
  )
)

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
]

test('every command that a document names is there', async (t) => {
  for (const file of documents) {
    const named = readFileSync(file, 'utf8').matchAll(
      /npm (?:run (?:--silent )?([\w:]+(?:-\w+)*)|(start|test))/g
    )
    for (const [command, name = '', short = ''] of named) t.ok(scripts[name || short], `${file}: ${command}`)
  }
})

test('the tree in docs/architecture.md is the tree', async (t) => {
  const [, tree = ''] =
    /## The tree\n\n```\n(.*?)```/s.exec(readFileSync('docs/architecture.md', 'utf8')) ?? []
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

test('docs/README.md sorts every page of docs/ by its one purpose', async (t) => {
  const list = readFileSync('docs/README.md', 'utf8')
  const sorted = [...list.matchAll(/^\|.*\]\(([\w-]+\.md)\) \|$/gm)].map(([, page]) => `docs/${page}`)
  t.strictSame(
    sorted.sort(),
    documents.filter((document) => document.startsWith('docs/') && document !== 'docs/README.md')
  )
  t.strictSame(
    [...list.matchAll(/^## (.*)$/gm)].map(([, purpose]) => purpose),
    ['Your own contract', 'The plant store', 'Reference', 'Explanation', 'Contribute']
  )
})

test('a page begins with the command, and ends with the next step', async (t) => {
  const [, own = '', plants = ''] = readFileSync('docs/README.md', 'utf8').split(/^## /m)
  const tasks = readdirSync('docs/tasks').map((name) => `docs/tasks/${name}`)
  const howTo = [...`${own}${plants}`.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, page]) => `docs/${page}`)
  for (const page of [...howTo, ...tasks.filter((name) => !name.endsWith('README.md'))]) {
    const [before = '', ...blocks] = readFileSync(page, 'utf8').split(/^```/m)
    t.ok(
      blocks.length > 1 && before.split(/\s+/).length <= 75,
      `${page}: ${before.split(/\s+/).length} words`
    )
  }
  for (const page of documents.filter((name) => /^docs\/(?!README)/.test(name)))
    t.match(readFileSync(page, 'utf8'), /\n\*\*Next:\*\* [^\n]*\]\([^)]+\)[^\n]*(?:\n[^\n]+)*\n$/, page)
})

test('the README has at most 1,000 words', async (t) => {
  const words = readme.trim().split(/\s+/).length
  t.ok(words > 300 && words <= 1_000, `${words} words`)
})

test('every link inside the project leads somewhere, to its heading as well', async (t) => {
  for (const document of documents) {
    const links = readFileSync(document, 'utf8').matchAll(
      /(?:\]\(|src=")([^)"#:\s]*)(?:#([^)\s]+))?(?:\)|" width)/g
    )
    for (const [, link = '', anchor] of links) {
      const path = link === '' ? document : join(dirname(document), link)
      t.ok(existsSync(path), `${document}: ${path}`)
      if (anchor !== undefined) t.ok(headings(path).includes(anchor), `${document}: ${path}#${anchor}`)
    }
  }
})

/** Returns the anchors that GitHub gives to the headings. */
const headings = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-')
  )

/** Files that a reader creates while following a document, or that are examples. */
const made =
  /^(pets|plants|lending|notes)\.\w+$|^src\/(handlers\/|failures\.ts|security\.ts)|^(before|after)\.ts$|^test\/fixtures\.ts$|^redocly\.yaml$|^(contract|conformance)-accepted\.yaml$|^(data|changes|dist)\/|^docs\/site\/dist|(get-plant|list-plants)\.ts$/

test('every file and folder that a document names is there', async (t) => {
  for (const document of documents) {
    const text = readFileSync(document, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
    for (const [, name = ''] of text.matchAll(
      /`([\w.@-]+(?:\/[\w.@-]*)*\.(?:ts|js|json|yaml|md)|(?:src|test|docs|scripts|bench|generated)\/[\w./-]*)`/g
    ))
      if (!made.test(name)) t.ok(isThere(name), `${document}: ${name}`)
  }
})

test('every file in the diagrams of the architecture is there', async (t) => {
  const pages = ['docs/architecture.md', 'docs/house.md']
  const text = pages
    .map((page) => readFileSync(page, 'utf8'))
    .join('\n')
    // The test of the tree reads its own names.
    .replace(/^## The tree\n\n```\n.*?```/ms, '')
  const named = [...text.matchAll(/[\w-]+(?:\/[\w-]+)*(?:\.test)?\.ts\b/g)].map(([name]) => name)
  t.ok(named.length > 20)
  for (const name of new Set(named)) t.ok(isThere(name), name)
})

const files = ['src', 'scripts', 'test', 'bench', 'docs', 'generated'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    // Packages and output of the docs site.
    .filter((name) => !name.startsWith('site/'))
    .map((name) => `${folder}/${name}`)
)
/** Accepts a path from the root, or the end of a path that no other file has. */
const isThere = (name: string): boolean =>
  existsSync(name) || files.filter((file) => file.endsWith(`/${name}`)).length === 1
