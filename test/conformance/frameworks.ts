/** `node test/conformance/frameworks.ts`: checks a correct server in each of thirteen frameworks and styles, with each seed. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { command } from '../../src/cli/command.ts'
import { compileInMemory } from '../../src/compiler/compiler.ts'
import { checkConformance } from '../../src/tools/conformance/conformance.ts'
import { listening } from '../tools/conformance/checked-server.ts'
import { token } from '../tools/conformance/fronts.ts'
import { furtherKits, kits, packages, serverOf } from '../tools/conformance/kits.ts'

const usage = `usage: node test/conformance/frameworks.ts [--seeds N] [--requests N]

  Installs the packages of the frameworks in a temporary folder, and sends a correct server
  in each of them the requests of npm run conformance; exits 1 with findings.`
const options = {
  '--seeds N': 'runs with the seeds 1 to N [1]',
  '--requests N': 'valid requests by chance for each operation [200]'
}

await command({ usage, options }, async (line) => {
  const folder = await mkdtemp(join(tmpdir(), 'frameworks-'))
  try {
    await writeFile(join(folder, 'package.json'), '{ "private": true }')
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder })
    const compiled = await compileInMemory('test/tools/conformance/desk.yaml')
    const here = Object.entries(kits).map(([name, kit]) => ({ name, kit, place: undefined }))
    const others = Object.entries(furtherKits).map(([name, kit]) => {
      return { name, kit, place: join(folder, 'any.js') }
    })
    for (const { name, kit, place } of [...here, ...others])
      for (let seed = 1; seed <= Number(line.value('seeds') ?? 1); seed++) {
        const { url, close } = await listening(await serverOf(kit, place))
        const requests = Number(line.value('requests') ?? 200)
        const started = performance.now()
        const { report } = await checkConformance({ ...compiled, url, token, seed, requests })
        const seconds = ((performance.now() - started) / 1000).toFixed(1)
        process.stdout.write(
          `${name}, seed ${seed}: ${report.findings.length} findings, ${report.requests} requests, ${seconds} s\n`
        )
        for (const { message, curl } of report.findings) process.stdout.write(`  ${message}\n  ${curl}\n`)
        if (report.findings.length > 0) process.exitCode = 1
        close()
      }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
