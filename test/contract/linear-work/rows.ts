/** The form of the tables of inputs that grow: the work must grow with them, not with their square. */
import type { Test } from 'tap'
import { growth } from '../../cpu-time.ts'

export interface Row {
  readonly about: string
  /** Of the shorter input; the longer one is eight times as long. */
  readonly size: number
  /** Makes an input of a size, and returns what reads it. */
  readonly work: (size: number) => () => unknown
}

/** Quadratic work grows eightfold, and a busy machine adds to either side. */
export const maxGrowth = 3

export async function assertLinear(t: Test, rows: readonly Row[]): Promise<void> {
  for (const { about, size, work } of rows) {
    const found = growth(work, size)
    t.ok(found < maxGrowth, `${about}: work grows by ${found.toFixed(1)} beyond the size`)
  }
}
