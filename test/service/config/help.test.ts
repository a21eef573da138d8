import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { test } from 'tap'
import { defaults } from '../../../src/plants/product.ts'
import { readConfig } from '../../../src/service/config/config.ts'
import { renderEnvExample, renderHelp } from '../../../src/service/config/help.ts'
import { allVariables } from '../../../src/service/config/variables.ts'

test('.env.example is the table of variables (npm run environment writes it)', async (t) => {
  t.equal(readFileSync('.env.example', 'utf8'), renderEnvExample(defaults))
})

test('.env.example with its lines switched on is the default configuration', async (t) => {
  const lines = renderEnvExample(defaults)
    .replace(/^# ([A-Z_]+=)/gm, '$1')
    .replace(/^BASE_URL=.*/m, '')
  const environment = parseEnv(lines)
  t.strictSame(
    Object.keys(environment).sort(),
    allVariables
      .map(({ name }) => name)
      .filter((name) => name !== 'BASE_URL')
      .sort()
  )
  t.strictSame(readConfig(environment), readConfig({}, defaults))
})

test('--help names every variable with its default and its meaning', async (t) => {
  const help = renderHelp('Plant Store 1.2.3', defaults)
  t.match(help, 'Plant Store 1.2.3')
  for (const { name, default: otherwise, meaning } of allVariables) {
    const line = help.split('\n').find((each) => each.trim().startsWith(`${name} `)) ?? ''
    t.ok(line.includes(meaning), name)
    t.ok(line.includes(Object(defaults)[name] ?? otherwise), name)
  }
})
