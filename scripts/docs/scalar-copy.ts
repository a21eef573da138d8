/** The script of the docs page, in the package that test/packages/ pins. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { installedPackages } from '../../test/installed-packages.ts'

export interface ScalarCopy {
  /** Name and version. */
  readonly package: string
  readonly license: string
  /** Base64 of the script, compressed with the highest quality. */
  readonly brotli: string
}

/** @param earlier copy whose script is not compressed again, for seconds and by another Node, if it is the same */
export async function scalarCopy(earlier?: ScalarCopy): Promise<ScalarCopy> {
  const folder = join(await installedPackages(), '@scalar/fastify-api-reference')
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const script = scriptIn(readFileSync(join(folder, 'dist/index.js'), 'utf8'))
  const isSame = earlier !== undefined && scriptOf(earlier) === script
  return {
    package: `${name} ${version}`,
    license: readFileSync(join(folder, 'LICENSE'), 'utf8'),
    brotli: isSame ? earlier.brotli : brotliCompressSync(script).toString('base64')
  }
}

const scriptOf = ({ brotli }: ScalarCopy): string =>
  brotliDecompressSync(Buffer.from(brotli, 'base64')).toString()

/** Returns the script that the package, a Fastify plugin, contains as a string literal. */
function scriptIn(plugin: string): string {
  const literal = plugin.replace(/^[\s\S]*^var standalone_default = (".*");$[\s\S]*$/m, '$1')
  return JSON.parse(literal.replaceAll(/\p{Cc}/gu, escapeControl))
}

/** Escapes a control character, which JavaScript allows in a string literal and JSON does not. */
const escapeControl = (control: string): string => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
