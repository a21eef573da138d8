/** The tables of keywords/: every schema is the body of an operation, and all operations are one contract. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { writeFiles } from '../../../../src/compiler/compile/emit/write.ts'
import { exactJson } from '../../../../src/engine/json/exact-json.ts'
import type { Contract, Validator } from '../../../../src/engine/model/compiled-contract.ts'
import { compileDocument } from '../../../contracts/compile-cache.ts'
import { annotations } from './keywords/annotations.ts'
import { anyType } from './keywords/any-type.ts'
import { applicators } from './keywords/applicators.ts'
import { arrays } from './keywords/arrays.ts'
import { discriminators } from './keywords/discriminators.ts'
import { dynamicReferences } from './keywords/dynamic-references.ts'
import { formatGrammars } from './keywords/format-grammars.ts'
import { formats } from './keywords/formats.ts'
import { identifiers } from './keywords/identifiers.ts'
import { knownLimits } from './keywords/known-limits.ts'
import { numbersAndStrings } from './keywords/numbers-and-strings.ts'
import { objects } from './keywords/objects.ts'
import { properties } from './keywords/properties.ts'
import { references } from './keywords/references.ts'
import type { Row, Schema, Table } from './keywords/table.ts'
import { unevaluatedItems } from './keywords/unevaluated-items.ts'
import { unevaluatedProperties } from './keywords/unevaluated-properties.ts'

t.setTimeout(900_000)

/** @returns true for a valid JSON text */
type Verdict = (text: string) => boolean | undefined

const specified: Table = {
  ...anyType,
  ...numbersAndStrings,
  ...arrays,
  ...properties,
  ...objects,
  ...applicators,
  ...unevaluatedProperties,
  ...unevaluatedItems,
  ...identifiers,
  ...references,
  ...dynamicReferences,
  ...discriminators,
  ...formats,
  ...formatGrammars,
  ...annotations
}
const rows = [...Object.values(specified).flat(), ...Object.values(knownLimits).flat()]

t.test('the compiled validators agree with the tables', async (t) => {
  const verdicts = await compiled(t, rows)
  for (const [keyword, list] of Object.entries(specified))
    for (const row of list) t.strictSame(wrong(row, verdicts.get(row)), [], `${keyword}: ${row.about}`)
  for (const [reason, list] of Object.entries(knownLimits))
    for (const row of list) {
      const values = [...row.takes, ...row.refuses]
      t.strictSame(wrong(row, verdicts.get(row)), values, `not yet: ${reason}: ${row.about}`)
    }
})

/** @returns the values with the wrong verdict */
function wrong({ takes, refuses }: Row, verdict: Verdict | undefined): string[] {
  return [
    ...takes.filter((text) => verdict?.(text) !== true),
    ...refuses.filter((text) => verdict?.(text) !== false)
  ]
}

async function compiled(t: Test, list: readonly Row[]): Promise<Map<Row, Verdict>> {
  const folder = await mkdtemp(join(tmpdir(), 'keywords-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const operations = list.map(({ schema }, index) => [`/${index}`, { post: operation(schema, index) }])
  const document = {
    openapi: '3.1.0',
    info: { title: 'Keywords', version: '1' },
    paths: Object.fromEntries(operations)
  }
  await writeFiles(await compileDocument(document, folder), folder)
  const module = await import(pathToFileURL(join(folder, 'contract.ts')).href)
  const contract = module.default as Contract
  const { validators } = await contract.load()
  return new Map(
    list.map((row, index) => {
      const name = contract.operations[index]?.requestBody?.content[0]?.validate ?? ''
      return [row, (text: string) => isValid(validators[name], text)]
    })
  )
}

function operation(schema: Schema, index: number): object {
  const content = { 'application/json': { schema } }
  return { operationId: `o${index}`, requestBody: { content }, responses: { 204: { description: 'ok' } } }
}

/** Validates a text without the refusal of names such as `__proto__`, which comes before validation. */
function isValid(validator: Validator | undefined, text: string): boolean | undefined {
  return validator?.(exactJson(text, JSON.parse(text)).value)
}
