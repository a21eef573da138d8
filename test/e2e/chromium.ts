/**
 * Chromium from npm alone: that of @sparticuz/chromium, with its own libraries and fonts, because a machine may have
 * none. It is unpacked once per version, beside its package, so that `npm ci` removes it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { type Browser, chromium } from 'playwright-core'
import { installedPackages } from '../installed-packages.ts'
import { madeOnce } from '../made-once.ts'

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

async function unpackTo(folder: string, packageFolder: string): Promise<void> {
  const bytesOf = (archive: string) => createReadStream(join(packageFolder, 'bin', archive))
  const program = createWriteStream(join(folder, 'chromium'), { mode: 0o700 })
  await pipeline(bytesOf('chromium.br'), createBrotliDecompress(), program)
  for (const name of ['al2023', 'fonts']) {
    await mkdir(join(folder, name))
    const tar = spawn('tar', ['-x'], { cwd: join(folder, name), stdio: ['pipe', 'ignore', 'inherit'] })
    const ended = once(tar, 'close')
    await pipeline(bytesOf(`${name}.tar.br`), createBrotliDecompress(), tar.stdin)
    const [code] = await ended
    if (code !== 0) throw new Error(`tar cannot unpack ${name}: exit code ${code}`)
  }
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
