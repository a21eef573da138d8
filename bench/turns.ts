/** Loads servers in turns of a few milliseconds, so that other work on the machine affects all of them. */
import type { Slices } from './slices.ts'

export interface Turns {
  /** Requests of each connection in one turn. */
  readonly each: number
  readonly warmUpTurns: number
  readonly turns: number
  /** @returns the CPU of a server so far, in microseconds */
  readonly cpu: (server: number) => number
}

/** @returns for each server the CPU of each turn, in microseconds */
export async function costsOfTurns(
  servers: readonly Slices[],
  { each, warmUpTurns, turns, cpu }: Turns
): Promise<readonly number[][]> {
  for (let turn = 0; turn < warmUpTurns; turn++) for (const server of servers) await server.run(each)
  const found: number[][] = servers.map(() => [])
  for (let turn = 0; turn < turns; turn++)
    for (const [index, server] of rotated(servers, turn)) {
      const before = cpu(index)
      await server.run(each)
      found[index]?.push(cpu(index) - before)
    }
  return found
}

/** Rotates the order, so that each server follows each other one equally often. */
function rotated<T>(items: readonly T[], by: number): readonly (readonly [number, T])[] {
  const from = by % items.length
  const numbered = items.map((item, index) => [index, item] as const)
  return [...numbered.slice(from), ...numbered.slice(0, from)]
}
