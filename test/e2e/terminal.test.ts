/**
 * Output of the real commands at a terminal, drawn as a page; with PICTURES=1, its screenshots, one of which the README
 * shows.
 */
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import t, { type Test } from 'tap'
import { breakSecurity } from '../scripts/contract-edits.ts'
import { launchChromium } from './chromium.ts'
import { ProjectCopy, serviceOnly } from './project-copy.ts'
import { inTerminal, seen, start, token } from './running.ts'
import { type Shown, terminalPage } from './terminal-page.ts'

t.setTimeout(900_000)
const pictures = resolve(import.meta.dirname, '../../test-results/screenshots')
const isPictured = process.env['PICTURES'] !== undefined
const ctrlC = '\u0003'
const browser = await launchChromium()
t.teardown(() => browser.close())

/**
 * Types the command, waits for each step in turn, and ends it with Ctrl-C.
 * @param steps texts to wait for, each with an action to run then
 */
async function shown(
  t: Test,
  copy: ProjectCopy,
  command: string,
  steps: readonly { readonly pattern: RegExp; readonly act?: () => Promise<void> }[]
): Promise<Shown> {
  // Listens on any free port, and prints the URL of the default port.
  const served = { PORT: '0', BASE_URL: 'http://127.0.0.1:3000', npm_config_userconfig: '/dev/null' }
  const terminal = inTerminal(t, command.replace('npm', 'npm --silent'), copy.folder, served)
  const exited = once(terminal, 'close')
  let output = ''
  terminal.stdout.on('data', (text) => {
    output += text
  })
  for (const { pattern, act } of steps) {
    await seen(() => output, pattern)
    await act?.()
  }
  const all = output
  // A command that ends by itself may have closed its terminal already.
  terminal.stdin.on('error', () => {}).write(ctrlC)
  await exited
  return { command, output: all }
}

t.test('one run of npm run dev: the welcome, and a broken contract', async (t) => {
  const copy = await ProjectCopy.make(t, { checked: serviceOnly })
  const breakIt = () => copy.edit('openapi.yaml', breakSecurity)
  const dev = await shown(t, copy, 'npm run dev', [
    { pattern: /types are/, act: breakIt },
    { pattern: /waiting for the next change/ }
  ])
  const page = await browser.newPage({ viewport: { width: 1056, height: 420 }, deviceScaleFactor: 1.5 })
  await page.setContent(terminalPage([dev]))
  const text = await page.innerText('body')
  t.match(text, /service +http:\/\/127\.0\.0\.1:3000\n/)
  const ports = [...text.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port)
  t.strictSame(new Set(ports), new Set(['3000']), 'every address is of this run')
  t.match(text, /openapi\.yaml:\d+:\d+ security scheme bearer is not declared/)
  t.match(text, /the last good server goes on; waiting for the next change$/)
  t.notMatch(text, '\u001b', 'every style is drawn')
  if (isPictured) await page.screenshot({ path: join(pictures, 'terminal.png'), fullPage: true })
})

t.test('mock, conformance and contract:diff at a terminal', async (t) => {
  const copy = await ProjectCopy.make(t)
  const { url } = await start(t, { CWD: copy.folder })
  const page = await browser.newPage({ viewport: { width: 1056, height: 300 }, deviceScaleFactor: 1.5 })
  const draw = async (name: string, pane: Shown) => {
    await page.setContent(terminalPage([pane]))
    if (isPictured) await page.locator('body').screenshot({ path: join(pictures, `${name}.png`) })
    return page.innerText('body')
  }
  const mock = await shown(t, copy, 'npm run mock', [{ pattern: /curl http/ }])
  t.match(await draw('mock', mock), /http:\/\/127\.0\.0\.1:\d+[\s\S]*curl http/)
  const check = `npm run conformance -- --url ${url} --token ${token} --requests 60`
  const conformance = await shown(t, copy, check, [{ pattern: /no finding: .* seed/ }])
  const hidden = { ...conformance, command: check.replace(token, '$TOKEN') }
  t.match(await draw('conformance', hidden), /no finding/)
  await writeFile(join(copy.folder, 'released.yaml'), await readFile(join(copy.folder, 'openapi.yaml')))
  await copy.edit('openapi.yaml', (text) => text.replace('required: [name]', 'required: [name, tag]'))
  const diff = await shown(t, copy, 'npm run contract:diff -- released.yaml', [
    { pattern: /since released\.yaml/ }
  ])
  t.match(await draw('contract-diff', diff), /breaking +openapi\.yaml:\d+:\d+ POST \/plants/)
})

t.test('import and export at a terminal print the expected input and their result', async (t) => {
  const folder = t.testdir({})
  const typed = async (name: string, keys: string) => {
    const file = resolve(import.meta.dirname, `../../scripts/${name}.ts`)
    const terminal = inTerminal(t, `node ${file}`, folder, {})
    terminal.stdin.write(keys)
    return (await Array.fromAsync(terminal.stdout)).join('').replaceAll('\r', '')
  }
  const imported = await typed('import', '{"id":1,"name":"x"}\n\u0004')
  t.match(imported, 'reading lines of JSON from this terminal; Ctrl-D ends them\n')
  t.match(imported, /imported 1 plant, [\d,]+ a second\n$/)
  t.match(await typed('export', ''), /^{"id":1,"name":"x"}\n[^\n]*exported 1 plant, [\d,]+ a second\n$/)
})
