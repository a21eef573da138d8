import { readFile } from 'node:fs/promises'
import { test } from 'tap'

const read = async (path: string) => readFile(path, 'utf8')

test('the contract names the official schema of its OpenAPI version for editors', async (t) => {
  const contract = await read('openapi.yaml')
  const [, url] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(contract) ?? []
  const [, version] = /^openapi: (3\.\d)/m.exec(contract) ?? []
  const schema = await read(
    `node_modules/@seriousme/openapi-schema-validator/schemas/v${version}/schema.json`
  )
  t.equal(url, JSON.parse(schema)['$id'])
})

test('VS Code recommends the extensions for YAML and Biome', async (t) => {
  t.match(JSON.parse(await read('.vscode/extensions.json')), {
    recommendations: ['redhat.vscode-yaml', 'biomejs.biome']
  })
})
