/** The size of the house: no figure grows beyond its bound. Whoever makes one smaller lowers its bound. */
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'tap'
import { sourceFiles } from './imports.ts'

const src = sourceFiles('src')
const linesOf = (files: readonly string[]) =>
  files.map((file) => readFileSync(file, 'utf8').split('\n').length - 1)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const rooms = Map.groupBy(src, dirname)

/** Figures and their bounds. */
const figures: readonly (readonly [name: string, value: number, bound: number])[] = [
  ['lines of src', sum(linesOf(src)), 42200],
  ['files of src', src.length, 595],
  ['files of src with 25 lines or fewer', linesOf(src).filter((lines) => lines <= 25).length, 101],
  ['rooms of src', rooms.size, 68],
  ['files of the largest room', Math.max(...[...rooms.values()].map(({ length }) => length)), 26],
  ['lines of scripts and bench', sum(linesOf([...sourceFiles('scripts'), ...sourceFiles('bench')])), 3450]
]

for (const [name, value, bound] of figures)
  test(name, async (t) => {
    t.ok(value > 0, 'is counted')
    t.ok(value <= bound, `${value} of at most ${bound}`)
  })
