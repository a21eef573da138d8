import { test } from 'tap'
import { typeProblems } from '../../../../src/compiler/command/dev/typecheck.ts'

const source = `export function createPlant() {
  return async () => {
    if (kept) return { status: 200, body: { name } }
    return { status: 400, body: { eror: 4002, message } }
  }
}
`

/** Output of tsc for a handler with a misspelt member. */
const output = `src/plants/create-plant.ts(2,3): error TS2322: Type '(request: CreatePlantRequest) => Promise<A | B>' is not assignable to type 'CreatePlantResponse'.
  Type 'Promise<A | B>' is not assignable to type 'CreatePlantResponse'.
    Types of property 'body' are incompatible.
      Property 'error' is missing in type '{ eror: 4002; message: string; other?: never; }' but required in type '{ error: number; message: string; }'.
src/app.ts(31,5): error TS2741: Property 'bearerAuth' is missing.
error TS18003: No inputs were found.
`

test('an error has its innermost sentence, and the place of the member that is meant', async (t) => {
  const folder = t.testdir({ src: { plants: { 'create-plant.ts': source } } })
  t.strictSame(typeProblems(output, folder), [
    {
      severity: 'error',
      file: `${folder}/src/plants/create-plant.ts`,
      line: 4,
      column: 35,
      message:
        "TS2322: Property 'error' is missing in type '{ eror: 4002; message: string; other?: never; }' but required in type '{ error: number; message: string; }'."
    },
    {
      severity: 'error',
      file: `${folder}/src/app.ts`,
      line: 31,
      column: 5,
      message: "TS2741: Property 'bearerAuth' is missing."
    },
    {
      severity: 'error',
      file: `${folder}/tsconfig.json`,
      line: 1,
      column: 1,
      message: 'TS18003: No inputs were found.'
    }
  ])
})

test('the place is that of tsc if several places may be meant', async (t) => {
  const folder = t.testdir({ src: { plants: { 'create-plant.ts': `${source}const other = { eror: 1 }\n` } } })
  t.match(typeProblems(output, folder)[0], { line: 2, column: 3 })
})

test('the deepest of several explanations is shown', async (t) => {
  const branches = `src/a.ts(1,2): error TS2769: No overload matches this call.
  Overload 1 of 2 gave this error.
    Argument of type 'string' is not assignable.
  Overload 2 of 2 gave another.
`
  t.match(typeProblems(branches, t.testdir({})), [
    { message: "TS2769: Argument of type 'string' is not assignable." }
  ])
})
