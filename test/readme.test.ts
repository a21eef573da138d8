import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'tap'
import { paintFor } from '../src/service/terminal/format.ts'
import { welcome } from '../src/service/terminal/welcome.ts'

const readme = readFileSync('README.md', 'utf8')
const compared = readFileSync('docs/comparison.md', 'utf8')
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }

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
    const named = readFileSync(file, 'utf8').matchAll(/npm (?:run (?:--silent )?([\w:]+)|(start|test))/g)
    for (const [command, name = '', short = ''] of named) t.ok(scripts[name || short], `${file}: ${command}`)
  }
})

test('the line to paste is the one that npm start prints', async (t) => {
  const document = readFileSync('generated/openapi.json', 'utf8')
  const printed = welcome({ url: 'http://127.0.0.1:3000', token: undefined, document }, paintFor({}, {}))
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

/** Each claim of the comparison about this project, the file that its row links to, and the name of the test there. */
const claims: readonly [row: string, file: string, title: string][] = [
  [
    'an operation without a handler does not compile',
    'test/compiler/command/generate.test.ts',
    'a run ends with what changed, and prints a stub of a missing handler'
  ],
  [
    '… and does not start',
    'test/contract/server/security/authenticate.test.ts',
    'a server does not start while a security scheme has no handler'
  ],
  [
    'a security scheme without a handler does not start',
    'test/contract/server/security/authenticate.test.ts',
    'a server does not start while a security scheme has no handler'
  ],
  [
    'a request without a token is refused before its body is parsed',
    'test/contract/server/security/authenticate.test.ts',
    'credentials are checked before a byte of the body is read'
  ],
  [
    'a string is not coerced to a number, nor `null` to a string',
    'test/e2e/requests/json.ts',
    'a string: nothing is coerced'
  ],
  [
    'an id of 9007199254740993 reaches the handler unchanged',
    'test/contract/json/restore-int64.test.ts',
    'an int64 arrives as a bigint, as it was spelled'
  ],
  [
    "failures answered in the contract's Error shape, of five tried",
    'test/contract/server/transport/request-checks.test.ts',
    'malformed HTTP is a 400 that ends the connection'
  ],
  [
    'an answer that breaks its schema is not sent',
    'test/contract/server/responses/send.test.ts',
    'a body that breaks its schema is a 500 and is not sent'
  ],
  [
    'a status that is not declared is not sent',
    'test/contract/server/responses/send.test.ts',
    'an exact status wins over a class, a class over default; an undeclared status is a 500'
  ],
  [
    'code that is older than its contract does not start',
    'test/contract/server/boot-checks.test.ts',
    'code that is older than its contract does not start'
  ]
]

/** Returns whether a test or a row of one has the title; `npm test` runs them all. */
const holds = (file: string, title: string): boolean => {
  const text = readFileSync(file, 'utf8')
  return ["'", '"', '`'].some((quote) => text.includes(quote + title + quote))
}

test('every row of the comparison links to a file with the test that holds it', async (t) => {
  const [, comparison = ''] = /^\| \| here .*\n.*\n((?:\|.*\n)*)/m.exec(compared) ?? []
  const rows = comparison.trim().split('\n')
  t.equal(rows.length, claims.length)
  for (const [index, [row, file, title]] of claims.entries()) {
    t.ok(rows[index]?.startsWith(`| ${row} – [test](../${file}) | **`), row)
    t.ok(holds(file, title), `${file}: ${title}`)
  }
})

test('the comparison is of the versions that npm run bench:peers asks', async (t) => {
  const peers = readFileSync('bench/peers.js', 'utf8')
  const versions = [...compared.matchAll(/npmjs\.com\/package\/(\S+)\) (\d\S+)/g)]
  t.equal(versions.length, 3)
  for (const [, name, version] of versions) t.match(peers, new RegExp(`'?${name}'?: '${version}'`))
})

test('the README sorts every page of docs/ by its one purpose', async (t) => {
  const [, table = ''] = /## Read on\n\n((?:\|.*\n)+)/.exec(readme) ?? []
  const sorted = [...table.matchAll(/\((docs\/[\w-]+\.md)\)/g)].map(([, page]) => page)
  t.strictSame(
    sorted.sort(),
    documents.filter((document) => document.startsWith('docs/'))
  )
  t.strictSame(
    [...table.matchAll(/^\| ([A-Z][\w ]+) \|/gm)].map(([, purpose]) => purpose),
    ['Tutorials', 'How to', 'Reference', 'Explanation']
  )
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
  /^(pets|plants|lending|notes)\.\w+$|^src\/(handlers\/|failures\.ts|security\.ts)|^(before|after)\.ts$|^test\/requests\.json$|^redocly\.yaml$|^contract-accepted\.yaml$|^(data|changes|dist)\/|(get-plant|list-plants)\.ts$/

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
  const text = readFileSync('docs/architecture.md', 'utf8')
  const named = [...text.matchAll(/[\w-]+(?:\/[\w-]+)*(?:\.test)?\.ts\b/g)].map(([name]) => name)
  t.ok(named.length > 30)
  for (const name of new Set(named)) t.ok(isThere(name), name)
})

const files = ['src', 'scripts', 'test', 'bench', 'docs', 'generated'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`)
)
/** Accepts a path from the root, or the end of a path that no other file has. */
const isThere = (name: string): boolean =>
  existsSync(name) || files.filter((file) => file.endsWith(`/${name}`)).length === 1
