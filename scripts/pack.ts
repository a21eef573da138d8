/** `npm run pack`: packs the packages of this repository as tarballs. */
import { resolve } from 'node:path'
import { command } from '@contract-first/cli/command'
import { packPackages } from '@contract-first/compiler/command/new/pack'

const usage = `usage: npm run pack [-- OPTION]

  Packs the packages of this repository as plain JavaScript with declarations.`
const options = { '--out DIR': 'where the tarballs go [packages]' }

await command({ usage, options }, async ({ value }) => {
  const out = resolve(value('out') ?? 'packages')
  await packPackages(out)
  process.stdout.write(`packed into ${out}\n`)
})
