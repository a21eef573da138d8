/** Branches of a union that a discriminator can select. */
import t from 'tap'
import { type Branch, distinct } from '../../../../src/compiler/compile/validators/discriminator.ts'

const cat: Branch = { pointer: '#/components/schemas/Cat', values: ['cat'] }
const dog: Branch = { pointer: '#/components/schemas/Dog', values: ['dog', 'hound'] }

const rows: { name: string; branches: Branch[]; want: boolean }[] = [
  { name: 'no branch', branches: [], want: true },
  { name: 'branches with values of their own', branches: [cat, dog], want: true },
  { name: 'one value for two branches', branches: [cat, { ...dog, values: ['cat'] }], want: false },
  { name: 'a branch that is not a reference', branches: [cat, { ...dog, pointer: '' }], want: false },
  { name: 'a branch without values', branches: [cat, { ...dog, values: [] }], want: false },
  { name: 'a value that is not a string', branches: [{ ...cat, values: [1] }], want: false }
]

for (const { name, branches, want } of rows) t.test(name, async (t) => t.equal(distinct(branches), want))
