/** `npm run typecheck`: the TypeScript compiler over the whole project. */
import { resolve } from 'node:path'
import { command } from '@contract-first/cli/command'
import { runTool } from './cli/run-tool.ts'

/** Results of the last run, so that only changed files are checked again. */
const results = resolve(import.meta.dirname, '../node_modules/.cache/typecheck.tsbuildinfo')

const usage = `usage: npm run typecheck

  Checks the types of src/, generated/, scripts/, test/ and bench/ with tsc, and writes nothing; exits 1 or 2 on an error.
  tsconfig.json has the settings.`

await command({ usage }, () => runTool('tsc', ['--noEmit', '--incremental', '--tsBuildInfoFile', results]))
