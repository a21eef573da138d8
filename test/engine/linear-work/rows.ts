/** The form of the tables of inputs that grow: the work must grow with them, not with their square. */
import type { Test } from 'tap'
import { growth } from '../../cpu-time.ts'

/** Makes an input of a size, and returns the work on it. */
export type Work = (size: number) => () => unknown
/** The size is that of the shorter input; the longer one is eight times as long. */
export type Row = readonly [about: string, size: number, work: Work]

/** Largest growth for linear work: quadratic work grows eightfold, and a busy machine changes either figure. */
export const maxGrowth = 3

export async function assertLinear(t: Test, rows: readonly Row[]): Promise<void> {
  for (const [about, size, work] of rows) {
    const found = growth(work, size)
    t.ok(found < maxGrowth, `${about}: work grows by ${found.toFixed(1)} beyond the size`)
  }
}
