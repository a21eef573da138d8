import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { reloadPages } from '../../../../src/compiler/command/dev/live-reload.ts'
import { ProjectCopy } from '../../../e2e/project-copy.ts'
import { unshed } from '../../../e2e/running.ts'
import { describePlant } from '../../../scripts/contract-edits.ts'
import { DevSession } from './dev-session.ts'

t.setTimeout(900_000)

t.test('the docs page reloads only after an edit of a part that it shows', async (t) => {
  const dev = await DevSession.start(t)
  const page = await dev.request('/docs')
  const [, src = '', version = ''] =
    /<script src="([^"]+)" data-version="(\w+)">/.exec(await page.text()) ?? []
  t.match(page.headers.get('content-security-policy'), /script-src 'self'/)
  t.match(page.headers.get('content-security-policy'), /connect-src 'self'/)
  t.match(await (await dev.request(src)).text(), 'new EventSource')
  const sentVersion = () => versionOf(t, dev)
  t.equal(await sentVersion(), version)
  await dev.copy.edit('openapi.yaml', describePlant('!'))
  await dev.shows(/serving after/)
  const ofContract = await sentVersion()
  t.not(ofContract, version, 'the contract')
  await dev.copy.edit('src/plants/handlers.ts', (text) => `${text}\n`)
  await dev.shows(/serving after/)
  t.equal(await sentVersion(), ofContract, 'a handler')
  await dev.copy.edit('src/engine/server.ts', (text) => `${text}\n`)
  await dev.shows(/serving after/)
  t.equal(await sentVersion(), ofContract, 'a package')
  await dev.end('SIGINT')
})

t.test('the docs page reloads after an edit of its style', async (t) => {
  // The compiler finds the page in the package beside it.
  const dev = await DevSession.start(t, { hasOwnCompiler: true })
  const version = await versionOf(t, dev)
  await dev.copy.edit('src/service/docs/page/style.css', (text) => `${text}\n`)
  await dev.shows(/serving after/)
  t.not(await versionOf(t, dev), version)
  t.comment('the server that is started ahead has loaded this package: another one serves its edit')
  await sleep(3_000)
  const failures = 'src/engine/server/errors/failure.ts'
  await dev.copy.edit(failures, (text) => text.replace("'no such path'", "'edited'"))
  await dev.shows(/serving after/)
  t.match(await (await dev.request('/nowhere')).json(), { message: 'edited' })
  await dev.end('SIGINT')
})

/** Returns the first version that the server sends to open pages. */
async function versionOf(t: Test, dev: DevSession): Promise<string> {
  const stream = await dev.request('/-/reload')
  t.equal(stream.headers.get('content-type'), 'text/event-stream')
  let text = ''
  for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const sent = /data: (\w+)\n\n/.exec(text)?.[1]
    if (sent !== undefined) return sent
  }
  throw new Error('the stream has ended')
}

t.test('npm start serves the docs page without the reloading script', async (t) => {
  const copy = await ProjectCopy.make(t)
  const { output } = await copy.start('node src/main.ts', /curl/)
  const [, url] = /service +(\S+)/.exec(output) ?? []
  const answer = (path: string) => unshed(() => fetch(url + path))
  t.notMatch(await (await answer('/docs')).text(), 'reload')
  t.equal((await answer('/-/reload.js')).status, 404)
})

t.test('a server that ends closes the streams, and leaves requests to the next one', async (t) => {
  const others = process.listeners('message')
  reloadPages()
  const [end] = process.listeners('SIGTERM')
  const [receive] = process.listeners('message').filter((each) => !others.includes(each))
  const app = Fastify()
  app.get('/docs', (_request, reply) => reply.code(204).send())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  t.equal((await fetch(`${url}/docs`)).status, 204, 'a page without a text gets no script')
  const stream = await fetch(`${url}/-/reload`)
  receive?.({ notice: { title: 'the types are wrong', text: 'a.ts:1:1 wrong\nagain' } }, undefined)
  receive?.(true, undefined)
  receive?.({ notice: null }, undefined)
  end?.('SIGTERM')
  const good = 'event: notice\ndata: null\n\n'
  const bad = 'event: notice\ndata: {"title":"the types are wrong","text":"a.ts:1:1 wrong\\nagain"}\n\n'
  const [, sent] = /^retry: 50\ndata: \w+\n\n([\s\S]*)$/.exec(await stream.text()) ?? []
  t.equal(sent, good + bad + good)
  await t.rejects(fetch(`${url}/docs`))
})
