/** The first minutes of a new user: start, paste the curl line, edit the contract, generate, start again. */
import { once } from 'node:events'
import t from 'tap'
import { ProjectCopy } from './project-copy.ts'

t.setTimeout(900_000)

const copy = await ProjectCopy.make(t, {
  isWhole: true,
  checked: ['src/**/*.d.ts', 'test/plants/plants.test.ts']
})
const ready = /curl http:\/\/127\.0\.0\.1:\d+\/plants .*\n/

t.test(
  'npm start prints a curl line that creates a plant, and npm run export prints the plant',
  async (t) => {
    const { child, output } = await copy.start('exec npm start', ready)
    t.match(output, /service +http:\/\/127\.0\.0\.1:\d+\n/)
    t.match(output, /docs +http:\/\/127\.0\.0\.1:\d+\/docs\n/)
    t.match(output, /token +\S+/)
    const [curl = ''] = ready.exec(output) ?? []
    for (let time = 0; time < 2; time++) {
      const { output: answer } = await copy.run(curl.replace('curl ', 'curl --silent '))
      t.equal(answer, '{"name":"Monstera deliciosa","tag":"climber"}')
    }
    const [, documented = ''] =
      /```sh\n(curl .*)\n```\n\n```json\n(.*)\n```/.exec(await copy.read('README.md')) ?? []
    const [, url = ''] = /service +(\S+)/.exec(output) ?? []
    const [, token = ''] = /token +(\S+)/.exec(output) ?? []
    const readme = documented.replace('http://127.0.0.1:3000', url).replace('curl ', 'curl --silent ')
    t.match(
      await copy.read('README.md'),
      (await copy.run(readme, { TOKEN: token })).output,
      'the response that the README prints'
    )
    const { output: exported } = await copy.run('npm run --silent export')
    t.equal(exported, '{"id":1,"name":"Monstera deliciosa","tag":"climber"}\n')
    child.kill('SIGTERM')
    t.strictSame(await once(child, 'exit'), [0, null])
    await t.rejects(fetch(url), 'a signal to npm ends the service')
  }
)

t.test('npm start refuses an edited contract until it is compiled, and then serves it', async (t) => {
  await copy.edit('openapi.yaml', (text) => text.replace('required: [name]', 'required: [name, tag]'))
  const stale = await copy.run('npm start')
  t.equal(stale.code, 1)
  t.match(stale.output, 'openapi.yaml has changed since generated/ was written: run "npm run generate"')
  t.notMatch(stale.output, /\n\s+at /, 'without a stack')

  const drift = await copy.runScript('npm run generate -- --check')
  t.equal(drift.code, 1)
  t.match(drift.output, 'validators.js')

  t.equal((await copy.run('npm run generate')).code, 0)
  t.equal((await copy.runScript('npm run generate -- --check')).code, 0)
  t.match(await copy.read('generated/types.ts'), /\n +tag: string;/, 'tag is required')

  const types = await copy.run('npm run typecheck')
  t.not(types.code, 0)
  t.match(
    types.output,
    /plants\.test\.ts.*'tag'|Property 'tag' is missing/,
    'tsc reports the code that does not fit'
  )

  const { output } = await copy.start('npm start', ready)
  const [, url] = /service +(\S+)/.exec(output) ?? []
  const [, token] = /token +(\S+)/.exec(output) ?? []
  const answer = await fetch(`${url}/plants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"id":2,"name":"Aloe"}'
  })
  t.strictSame(await answer.json(), { error: 4001, message: 'body/tag is required' })
  t.equal(await (await fetch(`${url}/openapi.yaml`)).text(), await copy.read('openapi.yaml'))
})
