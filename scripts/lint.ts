/** `npm run lint` and `npm run format`: Biome, which lints and formats. */
import { command } from '@contract-first/cli/command'
import { runTool } from './cli/run-tool.ts'

const usage = `usage: npm run lint [-- PATH… OPTION…]

  Lints with Biome, compares the format, and exits 1 on an error or a warning. biome.json has the rules.`
const options = {
  '--write': 'fix what can be fixed, as npm run format does',
  '--vcs-enabled BOOL': 'false: outside a Git repository [true]'
}

await command({ usage, options, words: true }, ({ is, value, words }) => {
  const isGit = value('vcs-enabled') !== 'false'
  const mode = is('write') ? '--write' : '--error-on-warnings'
  runTool('biome', ['check', mode, `--vcs-enabled=${isGit}`, ...(words.length > 0 ? words : ['.'])])
})
