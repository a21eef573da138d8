/** The files of a git revision follow the rule of the disk: those below the folder of the contract. */
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { revisionTree } from '../../../../src/tools/diff/command/git.ts'
import { runDiff } from '../../../../src/tools/diff/command/run.ts'
import { NotReadable } from '../../../../src/tools/diff/diff.ts'
import { git } from './git-command.ts'

t.setTimeout(900_000)

const contractWith = (schema: string) => `openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things:
    post:
      requestBody: { content: { application/json: { schema: ${schema} } } }
      responses: { '200': { description: OK } }
`

const links = {
  'api/inner.yaml': 'parts/name.yaml',
  'api/again.yaml': 'inner.yaml',
  'api/lib': 'parts',
  'api/link.yaml': '../home/secret.yaml',
  'api/folder': '../home',
  'api/passwords.yaml': '/etc/passwd',
  'api/circle.yaml': 'circle.yaml'
}

/** Commits a contract with links, then replaces it by one without any. */
async function repository(t: Test): Promise<string> {
  const folder = t.testdir({
    home: { 'secret.yaml': '{ type: string, maxLength: 3 }' },
    api: { 'openapi.yaml': contractWith('{}'), parts: { 'name.yaml': '{ type: string, maxLength: 3 }' } }
  })
  for (const [path, target] of Object.entries(links)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await symlink(target, join(folder, path))
  }
  git(folder, 'init', '.')
  git(folder, 'add', '.')
  git(folder, 'commit', '-m', 'first')
  return folder
}

/** Compares a contract that is committed with one on the disk that takes no more than two characters. */
async function compared(folder: string, reference: string, root?: string): Promise<string> {
  const contract = join(folder, 'api/openapi.yaml')
  await writeFile(contract, contractWith(`{ $ref: ${reference} }`))
  git(folder, 'commit', '--all', '--allow-empty', '-m', reference)
  await writeFile(contract, contractWith('{ type: string, maxLength: 2 }'))
  const paint = (_style: unknown, text: string) => text
  const options = {
    base: 'HEAD',
    contract,
    folder,
    format: 'text' as const,
    ...(root === undefined ? {} : { root })
  }
  const { output } = await runDiff(options, { output: paint, errors: paint }).catch((error: Error) => ({
    output: error.message
  }))
  return output
}

const lowered = /maxLength now 2 \(was 3\)/
const outside = /it is outside of the folder of the contract/

t.test('links within the folder are followed, those out of it are refused', async (t) => {
  const folder = await repository(t)
  for (const reference of ['inner.yaml', 'again.yaml', 'lib/name.yaml', 'parts/name.yaml'])
    t.match(await compared(folder, reference), lowered, reference)
  for (const reference of ['link.yaml', 'folder/secret.yaml', '../home/secret.yaml'])
    t.match(await compared(folder, reference), outside, reference)
  for (const reference of ['passwords.yaml', 'none.yaml'])
    t.match(await compared(folder, reference), /there is no such file/, reference)
  t.match(await compared(folder, 'circle.yaml'), /it cannot be read \(ELOOP\)/)
  for (const reference of ['link.yaml', '../home/secret.yaml'])
    t.match(await compared(folder, reference, folder), lowered, `${reference} with --root`)
})

t.test('a misspelt name in a revision is suggested from the revision', async (t) => {
  const folder = await repository(t)
  await writeFile(join(folder, 'api/parts/later.yaml'), '{}')
  t.match(await compared(folder, 'parts/nmae.yaml'), /Did you mean `parts\/name.yaml`\?/)
  t.notMatch(await compared(folder, 'parts/latr.yaml'), /Did you mean/)
})

t.test('folders and missing objects are not read', async (t) => {
  const folder = await repository(t)
  const tree = revisionTree(join(folder, 'api'), 'HEAD')
  t.equal(tree.realPath(join(folder, 'api/lib')), join(folder, 'api/parts'))
  await t.rejects(tree.read(join(folder, 'api/parts'), 100), NotReadable)
  await t.rejects(tree.read(join(folder, 'api/parts/name.yaml'), 10), { message: /64 MiB/ })
  await rm(join(folder, '.git/objects'), { recursive: true })
  await t.rejects(tree.read(join(folder, 'api/parts/name.yaml'), 100), { code: 'EIO' })
})

t.test('contract-accepted.yaml is a file of the folder', async (t) => {
  const folder = await repository(t)
  await symlink('../home/secret.yaml', join(folder, 'api/contract-accepted.yaml'))
  t.match(await compared(folder, 'inner.yaml'), /api\/contract-accepted.yaml cannot be read: it is outside/)
})
