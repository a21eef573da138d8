/** Writes the tarball of a package as `npm pack` does: the same files are the same bytes. */
import { gzipSync } from 'node:zlib'

export type Files = readonly (readonly [path: string, content: Buffer])[]

/** @param files of the package, by their path in it */
export function tarball(files: Files): Buffer {
  const entries = files.flatMap(([path, content]) => [
    headerOf(`package/${path}`, content.length),
    content,
    Buffer.alloc(-content.length & (blockSize - 1))
  ])
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * blockSize)]), { level: 9 })
}

const blockSize = 512

/** Returns the header of a file (POSIX.1-2017, pax, section "ustar Interchange Format"). */
function headerOf(path: string, size: number): Buffer {
  const header = Buffer.alloc(blockSize)
  // The name has 100 bytes; the folders of a longer path are in the prefix.
  const start = path.length > 100 ? path.indexOf('/', path.length - 101) + 1 : 0
  header.write(path.slice(start), 0)
  header.write(`0000644\0${'0000000\0'.repeat(2)}`, 100)
  header.write(size.toString(8).padStart(11, '0'), 124)
  header.write(modified, 136)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(path.slice(0, Math.max(start - 1, 0)), 345)
  // The checksum counts its own field as spaces.
  header.write(' '.repeat(8), 148)
  const sum = header.reduce((total, byte) => total + byte)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** Time of each file that npm packs, 1985-10-26 08:15 UTC: zip files have no earlier ones than 1980. */
const modified = (Date.UTC(1985, 9, 26, 8, 15) / 1000).toString(8).padStart(11, '0')
