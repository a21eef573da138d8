/** `npm run pack`: packs the packages of this repository as tarballs. `npm pack` also calls it, before and after. */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { command } from '@contract-first/cli/command'
import {
  compile,
  compiledFolder,
  packPackages,
  writePackage
} from '@contract-first/compiler/command/new/pack'

const usage = `usage: npm run pack [-- OPTION]

  Packs the packages of this repository as plain JavaScript with declarations and source maps.`
const options = {
  '--out DIR': 'where the tarballs go [packages]',
  '--before': 'used by npm pack --workspace: compiles the package of the working directory in place',
  '--after': 'used by npm pack --workspace: restores it'
}

const folder = process.cwd()
const cache = resolve(import.meta.dirname, '../node_modules/.cache/packages')
/** Copy of the manifest of the sources, while npm packs the compiled code. */
const kept = join(cache, `${basename(folder)}.package.json`)
const manifest = join(folder, 'package.json')

await command({ usage, options }, async ({ is, value }) => {
  if (is('before')) return before()
  if (is('after')) return after()
  const out = resolve(value('out') ?? 'packages')
  await packPackages(out)
  process.stdout.write(`packed into ${out}\n`)
})

async function before(): Promise<void> {
  // Restores the manifest after an earlier run that was killed.
  if (existsSync(kept)) after()
  await compile([folder])
  mkdirSync(cache, { recursive: true })
  copyFileSync(manifest, kept)
  writePackage(folder, folder)
}

function after(): void {
  rmSync(join(folder, compiledFolder), { recursive: true, force: true })
  rmSync(join(folder, 'LICENSE'), { force: true })
  renameSync(kept, manifest)
}
