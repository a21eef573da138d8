/**
 * Prepares a process whose coverage is measured, by `node --import`.
 *
 * Takes TypeScript files without their types from the folder of the query `stripped`, where the digest of a text is its
 * name: otherwise each process would strip them again. Makes each text unique, because V8 counts no branches of code from
 * Node's compile cache, which then has the code of packages only.
 */
import { hash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { Session } from 'node:inspector'
import { registerHooks } from 'node:module'

const folder = new URL(import.meta.url).searchParams.get('stripped')
const unique = `\n// ${randomUUID()}`

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context)
    if (loaded.format !== 'module-typescript') return loaded
    const stripped = strippedOf(loaded.source)
    return stripped === undefined ? loaded : { ...loaded, format: 'module', source: stripped + unique }
  }
})

// A test may start a process that is not measured.
if (process.env.NODE_V8_COVERAGE) countBlocks(process.argv[1])

/**
 * Node asks for the number of calls, for which V8 does not optimize code. V8 counts the blocks of every script, which
 * doubles the time of a program of a package, such as tsc.
 */
function countBlocks(program) {
  const isOfPackage =
    program !== undefined && existsSync(program) && /[/\\]node_modules[/\\]/.test(realpathSync(program))
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: !isOfPackage })
}

/** Returns undefined for a file of none of the folders that the gate reads, such as one that a test has written. */
function strippedOf(source) {
  try {
    return readFileSync(`${folder}/${hash('sha256', source)}`, 'utf8')
  } catch {
    return undefined
  }
}
