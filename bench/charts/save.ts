/** Writes charts for docs/performance.md. */
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../docs/images')

/** @param name name of the file, without `.svg` */
export function saveChart(name: string, chart: string): void {
  writeFileSync(join(folder, `${name}.svg`), chart)
}

/** @returns `medians of 5 rounds` */
export function mediansOf(count: number, what: string): string {
  return `medians of ${count} ${what}${count === 1 ? '' : 's'}`
}

/** @returns a caption with the method and the machine */
export function captionOf(how: string): string {
  const processors = `${cpus().length} × ${cpus()[0]?.model.replaceAll(/\((R|TM)\)/g, '')}`
  const [load = 0] = loadavg()
  const machine = `Node ${process.versions.node}, ${processors}, load ${load.toFixed(0)}`
  return `${how} · ${machine}, ${new Date().toISOString().slice(0, 10)}`
}
