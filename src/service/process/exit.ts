/**
 * Returns a function that ends the process. `process.exit` waits for all threads, including those that wait for a lock
 * of the database, a name server or a full pipe. `execve` ends all of them at once.
 * @param flush writes the last lines of the log
 */
export function exitWith(flush: () => void): (code: number) => void {
  return (code) => {
    const { execve, execPath, platform } = process
    const isClean = code === 0 && !process.getActiveResourcesInfo().some(isThreadWork)
    if (isClean || execve === undefined || platform === 'win32') process.exit(code)
    flush()
    // Node would write the coverage of a test run in process.exit, which is not called here.
    process.getBuiltinModule('node:v8').takeCoverage()
    execve(execPath, [execPath, '--eval', `process.exit(${code})`], {})
  }
}

/** Returns true for name look-ups and file-system calls, which run in threads. */
const isThreadWork = (resource: string): boolean => /AddrInfo|NameInfo|^FSReq/.test(resource)
