/** Writes a package as its users install it: plain JavaScript, declarations, source maps. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { compiledFolder, publishedManifest } from './published-manifest.ts'

/** @param sources folder of the package, for which `tsc -b` has written the files that `compiledFiles` names */
export function writePackage(sources: string, target: string): void {
  const manifest = JSON.parse(readFileSync(join(sources, 'package.json'), 'utf8'))
  const compiled = join(target, compiledFolder)
  mkdirSync(target, { recursive: true })
  const output = compiledFiles(sources)
  // The output may hold files that were compiled from deleted sources.
  const hasSource = (path: string) => existsSync(join(sources, relative(output, path).replace(suffix, '.ts')))
  cpSync(output, compiled, { recursive: true, filter: hasSource })
  for (const file of assets(sources)) cpSync(join(sources, file), join(compiled, file))
  if (target !== sources) copyFileSync(join(sources, 'README.md'), join(target, 'README.md'))
  copyFileSync(resolve(sources, '../../LICENSE'), join(target, 'LICENSE'))
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`)
}

const suffix = /(?:\.js|\.d\.ts|\.js\.map)$/

/** Folder that `tsconfig.package.json` compiles to. */
export function compiledFiles(sources: string): string {
  const { compilerOptions } = JSON.parse(readFileSync(join(sources, 'tsconfig.package.json'), 'utf8'))
  return resolve(sources, compilerOptions.outDir)
}

/** Returns the files that are neither TypeScript nor meant for the root of the package. */
function assets(sources: string): readonly string[] {
  const folders = readdirSync(sources, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && ![compiledFolder, 'node_modules'].includes(entry.name)
  )
  return folders
    .flatMap(({ name }) =>
      readdirSync(join(sources, name), { recursive: true, encoding: 'utf8' }).map((file) => join(name, file))
    )
    .filter((file) => !file.endsWith('.ts') && statSync(join(sources, file)).isFile())
}
