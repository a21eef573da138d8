/**
 * The format is a digest of all that an engine expects of generated code: the types of model/, the functions of
 * runtime/ that are copied into it, everything that these import, and the code that the compiler writes for a few
 * contracts. Comments and layout do not count.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { compileContract } from '../../../src/compiler/compile/compile.ts'
import { format } from '../../../src/engine/model/format.ts'
import { importsOf, sourceFiles } from '../../imports.ts'

const own = 'src/engine/model/format.ts'
/** Contracts with bodies, forms, parameters, unions, cycles and numbers: an edit of one changes the format, too. */
const contracts = ['agreement', 'forms', 'parameter-styles', 'recursive']
/** Generated code; the other files are types, texts of the contract, and digests. */
const written = [
  ...['client.js', 'operations.js', 'requests.js', 'schemas.js', 'serializers.js', 'validators.js']
]

/** Returns the files, and what they import, types included, in the order of their names. */
function closureOf(files: readonly string[]): string[] {
  const closure = new Set(files)
  for (const file of closure) for (const { to } of importsOf(file)) if (to.startsWith('src/')) closure.add(to)
  return [...closure].filter((file) => file !== own).sort()
}

/** Prints code without comments and layout, so that only a change of meaning changes the format. */
function printed(name: string, text: string): string {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest)
  return ts.createPrinter({ removeComments: true }).printFile(source)
}

/** Removes the format, and the id of the build, which is a digest of files that name the format. */
const withoutBuild = (text: string): string =>
  text.replaceAll(format, '').replaceAll(/^export const \$build = '\w+'$/gm, '')

async function emitted(name: string): Promise<string[]> {
  const { files } = await compileContract(resolve(`test/contracts/${name}.yaml`), join(tmpdir(), 'generated'))
  return written.map((file) => printed(file, withoutBuild(files.get(file) ?? file)))
}

function digest(texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text)
  return hash.digest('hex').slice(0, 12)
}

const sources = closureOf(['src/engine/model', 'src/engine/runtime'].flatMap((room) => sourceFiles(room)))
const code = sources.map((file) => printed(file, readFileSync(file, 'utf8')))
const emissions = (await Promise.all(contracts.map(emitted))).flat()

t.test('the format changes with all that an engine expects of generated code', async (t) => {
  const wanted = digest([...code, ...emissions])
  t.equal(format, wanted, `set format in ${own} to '${wanted}' and run "npm run generate"`)
})
