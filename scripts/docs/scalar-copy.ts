/** The script of the docs page, in the package that npm pins for development. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'

const module = fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference'))
const folder = dirname(dirname(module))

export interface ScalarCopy {
  /** Name and version. */
  readonly package: string
  readonly license: string
  /** Base64 of the script, compressed with the highest quality. */
  readonly brotli: string
}

/** @param earlier copy whose script is not compressed again, for seconds and by another Node, if it is the same */
export function scalarCopy(earlier?: ScalarCopy): ScalarCopy {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const script = scalarScript()
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
function scalarScript(): string {
  const literal = readFileSync(module, 'utf8').replace(
    /^[\s\S]*^var standalone_default = (".*");$[\s\S]*$/m,
    '$1'
  )
  return JSON.parse(literal.replaceAll(/\p{Cc}/gu, escapeControl))
}

/** Escapes a control character, which JavaScript allows in a string literal and JSON does not. */
const escapeControl = (control: string): string => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
