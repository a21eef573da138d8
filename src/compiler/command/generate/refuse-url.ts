/** A URL in the place of a file of a contract. */
import { refuseUsage } from '@contract-first/cli/command-line'

/**
 * Refuses a URL in the place of a file: a compilation is the same on every machine, and without a network.
 * @throws {Mistake} for a URL of any scheme
 */
export function refuseUrl(named: string, written: string): void {
  if (!/^[a-z][a-z\d+.-]+:\/\//i.test(written)) return
  const cure = /^file:/i.test(written)
    ? 'write the path of the file'
    : `save it as a file, as with curl -o openapi.yaml '${written}', and name that file`
  refuseUsage(`${named} ${written} is a URL, and only files are read: ${cure}`)
}
