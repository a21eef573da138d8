/** File in memory with its media type and version, compressed at most once per encoding. */
import { createHash } from 'node:crypto'

export type Encoding = 'br' | 'gzip' | 'identity'

export interface Asset {
  readonly mediaType: string
  /** Version: a digest of the bytes. */
  readonly version: string
  readonly encoded: (encoding: Encoding) => Promise<Buffer>
}

export function createAsset(mediaType: string, content: string | Buffer): Asset {
  const bytes = Buffer.from(content)
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 16)
  const cached: Partial<Record<Encoding, Promise<Buffer>>> = {}
  return {
    mediaType,
    version,
    encoded: (encoding) => {
      cached[encoding] ??= encode[encoding](bytes)
      return cached[encoding]
    }
  }
}

/** Quality of Brotli; higher ones make Scalar 10 % smaller and take 4 to 12 s instead of 0.1 s. */
const brotliQuality = 5

/** Loads the compressors with the first request, because they would delay the start. */
const compressors = () => Promise.all([import('node:util'), import('node:zlib')])

const encode: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: async (bytes) => {
    const [{ promisify }, { brotliCompress, constants }] = await compressors()
    return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })
  },
  gzip: async (bytes) => {
    const [{ promisify }, { gzip }] = await compressors()
    return promisify(gzip)(bytes)
  },
  identity: async (bytes) => bytes
}
