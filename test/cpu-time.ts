/** CPU time of this thread, which other processes lengthen less than wall-clock time. */

const rounds = 3

/**
 * Compares one run with an input that is `factor` times as long to `factor` runs with the short one; both are warmed
 * up, and the least of three rounds counts. Runs should take tens of milliseconds, because the clock of a thread may
 * tick slowly.
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

/** Least time of a measured run, in microseconds: several ticks of the clock. */
const leastRun = 20_000

/**
 * Least time of a run in the first estimate. The clock of the process is fine-grained, but counts V8's other threads.
 */
const leastGlance = 3_000

/** Growth below which no further round is needed: quadratic work is far above it. */
const clearlyLinear = 1.5

/**
 * Compares an input with one of eight times its size, each repeated until a run takes several ticks of the clock. Work
 * that is clearly linear in two estimates is not measured further.
 * @param work makes an input of a size, and returns a run on it
 * @returns about 1 for linear work, about 8 for quadratic work
 */
export function growth(work: (size: number) => () => unknown, size: number): number {
  const [short, long] = [work(size), work(8 * size)]
  const glance = glanced(short, long)
  return glance < clearlyLinear ? glance : measured(short, long)
}

function glanced(short: () => unknown, long: () => unknown): number {
  const repeats = repeatsOf(long, leastGlance, processTime)
  const [shorts, longs] = [repeated(short, 8 * repeats), repeated(long, repeats)]
  const look = () => processTime(longs) / processTime(shorts)
  shorts()
  const first = look()
  return first < clearlyLinear ? Math.max(first, look()) : first
}

function measured(short: () => unknown, long: () => unknown): number {
  const repeats = repeatsOf(long, leastRun, cpuTime)
  const [shorts, longs] = [repeated(short, 8 * repeats), repeated(long, repeats)]
  shorts()
  let [ofShort, ofLong] = [0, 0]
  for (let round = 0; round < rounds; round++) {
    ofShort += cpuTime(shorts)
    ofLong += cpuTime(longs)
    if (ofLong < clearlyLinear * ofShort) break
  }
  // The clock may tick every ten milliseconds: shorter times count as one tick.
  return ofLong / Math.max(ofShort, 10_000)
}

type Clock = (run: () => unknown) => number

function repeatsOf(run: () => unknown, least: number, clock: Clock): number {
  let repeats = 1
  while (clock(repeated(run, repeats)) < least) repeats *= 2
  return repeats
}

const repeated = (run: () => unknown, repeats: number) => () => {
  for (let count = 0; count < repeats; count++) run()
}

function cpuTime(run: () => unknown): number {
  const started = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(started)
  return Math.max(1, user + system)
}

function processTime(run: () => unknown): number {
  const started = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(started)
  return Math.max(1, user + system)
}
