/** CPU time of this thread, which other processes of the machine do not lengthen as they lengthen wall-clock time. */

const rounds = 5

/**
 * Compares one run with an input that is `factor` times as long to `factor` runs with the short one; both are warmed up,
 * and the least of five rounds counts. Runs should take tens of milliseconds, because the clock of a thread may tick slowly.
 * @returns about 1 for linear work, about `factor` for quadratic work
 */
export function cpuGrowth(factor: number, short: () => unknown, long: () => unknown): number {
  const shortRuns = () => {
    for (let run = 0; run < factor; run++) short()
  }
  shortRuns()
  long()
  const times = Array.from({ length: rounds }, () => [cpuTime(shortRuns), cpuTime(long)] as const)
  return Math.min(...times.map(([, one]) => one)) / Math.min(...times.map(([many]) => many))
}

function cpuTime(run: () => unknown): number {
  const started = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(started)
  return Math.max(1, user + system)
}
