/** The size of the house: no figure grows beyond its bound. Whoever makes one smaller lowers its bound. */
import { globSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'tap'
import { operations } from '../generated/operations.js'
import { sourceFiles } from './imports.ts'

const src = sourceFiles('src')
const linesOf = (files: readonly string[]) =>
  files.map((file) => readFileSync(file, 'utf8').split('\n').length - 1)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const rooms = Map.groupBy(src, dirname)

const generated = sum(globSync('generated/*').map((file) => statSync(file).size))
const deepImporters = ['src', 'scripts', 'bench']
  .flatMap(sourceFiles)
  .filter((file) => /'@contract-first\/[\w-]+\/internal\//.test(readFileSync(file, 'utf8')))

/** Figures and their bounds. Circles of files and rooms are counted in architecture.test.ts. */
const figures: readonly (readonly [name: string, value: number, bound: number])[] = [
  ['lines of src', sum(linesOf(src)), 54_133],
  ['files of src', src.length, 546],
  ['files of src with 25 lines or fewer', linesOf(src).filter((lines) => lines <= 25).length, 32],
  ['rooms of src', rooms.size, 60],
  ['files of the largest room', Math.max(...[...rooms.values()].map(({ length }) => length)), 14],
  ['lines of scripts and bench', sum(linesOf([...sourceFiles('scripts'), ...sourceFiles('bench')])), 3_322],
  ['bytes of generated/ for each operation', generated / Object.keys(operations).length, 47_400],
  ['files with deep imports', deepImporters.length, 0]
]

for (const [name, value, bound] of figures)
  test(name, async (t) => {
    t.ok(value > 0 || bound === 0, 'is counted')
    t.ok(value <= bound, `${value} of at most ${bound}`)
  })
