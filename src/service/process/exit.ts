/**
 * Returns a function that ends the process. `process.exit` waits for threads, and one that waits for a lock of the database, a
 * name server or a full pipe would delay it until it has an answer. `execve` ends all of them at once.
 * @param flush writes the last lines of the log
 */
export function exitWith(flush: () => void): (code: number) => void {
  return (code) => {
    const { execve, execPath, platform } = process
    const isClean = code === 0 && !process.getActiveResourcesInfo().some(isThreadWork)
    if (isClean || execve === undefined || platform === 'win32') process.exit(code)
    flush()
    // Node writes the coverage of a test run in process.exit, which does not happen here.
    process.getBuiltinModule('node:v8').takeCoverage()
    execve(execPath, [execPath, '--eval', `process.exit(${code})`], {})
  }
}

/** Look-ups of names and calls of the file system run in threads. */
const isThreadWork = (resource: string): boolean => /AddrInfo|NameInfo|^FSReq/.test(resource)
