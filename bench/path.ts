/** The way of a request: the functions of this project that one POST /plants runs, valid and refused. */
import { spawn } from 'node:child_process'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { atMost, heading, information } from './report.ts'
import { token } from './target.ts'

const project = join(import.meta.dirname, '..')
const ownFolders = /^(src|generated)\//

/** Targets of the engine for the valid request; a function that runs twice counts once. */
const maxFunctions = 60
const maxFiles = 18

const plant = '{"id":1,"name":"Monstera deliciosa","tag":"climber"}'
const requests = [
  { name: 'valid', status: 200, body: plant, bearer: token },
  { name: 'wrong body', status: 400, body: '{"id":"1"}', bearer: token },
  { name: 'wrong token', status: 401, body: plant, bearer: 'wrong' }
]

export async function benchPath(): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'targets/path.ts')], {
    env: { ...process.env, PORT: '0', AUTH_TOKENS: token, LOG_LEVEL: 'warn' },
    stdio: ['pipe', 'pipe', 'inherit']
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const matching = async (pattern: RegExp): Promise<string> => {
    for (let line = await lines.next(); !line.done; line = await lines.next()) {
      const [found] = pattern.exec(line.value) ?? []
      if (found !== undefined) return found
    }
    throw new Error('the service has ended')
  }
  const called = async () => {
    child.stdin.write('\n')
    return functionsOf(JSON.parse(await matching(/^\[.*/)))
  }
  try {
    const url = await matching(/http:\/\/127\.0\.0\.1:\d+$/)
    for (const { name, status, body, bearer } of requests) {
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
      const send = async () => {
        const response = await fetch(`${url}/plants`, { method: 'POST', headers, body })
        const text = await response.text()
        if (response.status !== status) throw new Error(`${name}: ${response.status} ${text}, not ${status}`)
      }
      // What the first request makes, later ones have.
      await send()
      await called()
      await send()
      report(name, await called())
    }
  } finally {
    child.kill('SIGKILL')
  }
}

interface Script {
  readonly url: string
  readonly functions: readonly {
    readonly functionName: string
    readonly ranges: readonly { readonly count: number }[]
  }[]
}

type Called = ReadonlyMap<string, readonly string[]>

/** Returns the names of the functions that have run, by file. */
function functionsOf(scripts: readonly Script[]): Called {
  const found = scripts.map(({ url, functions }) => {
    const file = url.startsWith('file:') ? relative(project, fileURLToPath(url)) : url
    const ran = functions.filter(({ ranges }) => Number(ranges[0]?.count) > 0)
    return [file, ran.map(({ functionName }) => functionName || '(anonymous)')] as const
  })
  return new Map(found.filter(([file, names]) => ownFolders.test(file) && names.length > 0).sort())
}

function report(name: string, found: Called): void {
  heading(`POST /plants, ${name}`)
  for (const [file, names] of found) console.log(`  ${file}: ${names.join(', ')}`)
  console.log()
  const engine = [...found].filter(([file]) => file.startsWith('src/engine/'))
  const count = (of: Iterable<readonly [string, readonly string[]]>) =>
    [...of].flatMap(([, names]) => names).length
  if (name === 'valid') {
    atMost('functions of the engine', count(engine), maxFunctions)
    atMost('files of the engine', engine.length, maxFiles)
  } else {
    information('functions of the engine', count(engine))
    information('files of the engine', engine.length)
  }
  information('functions in all', count(found))
  information('files in all', found.size)
}
