import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { test } from 'tap'
import { variables } from '../../../src/plants/product.ts'
import { readConfig } from '../../../src/service/config/config.ts'
import { renderEnvExample, renderHelp, renderTable } from '../../../src/service/config/help.ts'
import { variablesOf } from '../../../src/service/config/variables.ts'

test('.env.example is the table of variables (npm run environment writes it)', async (t) => {
  t.equal(readFileSync('.env.example', 'utf8'), renderEnvExample(variables))
})

test('.env.example with its lines switched on is the default configuration', async (t) => {
  const lines = renderEnvExample(variables)
    .replace(/^# ([A-Z_]+=)/gm, '$1')
    .replace(/^BASE_URL=.*/m, '')
  const environment = parseEnv(lines)
  t.strictSame(
    Object.keys(environment).sort(),
    variablesOf(variables)
      .map(({ name }) => name)
      .filter((name) => name !== 'BASE_URL')
      .sort()
  )
  t.strictSame(readConfig(environment, variables), readConfig({}, variables))
})

test('--help names every variable with its default and its meaning', async (t) => {
  const help = renderHelp('Plant Store 1.2.3', variables)
  t.match(help, 'Plant Store 1.2.3')
  for (const { name, default: otherwise, meaning } of variablesOf(variables)) {
    const line = help.split('\n').find((each) => each.trim().startsWith(`${name} `)) ?? ''
    t.ok(line.includes(meaning), name)
    t.ok(line.includes(Object(variables.defaults)[name] ?? otherwise), name)
  }
})

test('a project without store and tokens has none of their variables', async (t) => {
  const project = { defaults: { PORT: '8080' } }
  const help = renderHelp('Things 1', project)
  t.match(help, /^ {2}PORT +port to listen on.* \[8080\]$/m)
  t.match(help, /^ {2}RATE_LIMIT +requests per client/m)
  t.notMatch(help + renderEnvExample(project) + renderTable(project), /AUTH_|DATABASE_URL|token/)
})
