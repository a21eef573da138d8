/**
 * Ends the process. `process.exit` waits for all threads, including those that wait for a lock of the database, a name
 * server or a full pipe. `execve` ends all of them at once.
 */
export function endProcess(code: number): void {
  const { execve, execPath, platform } = process
  const isClean = code === 0 && !process.getActiveResourcesInfo().some(isThreadWork)
  if (isClean || execve === undefined || platform === 'win32') process.exit(code)
  execve(execPath, [execPath, '--eval', `process.exit(${code})`], {})
}

/** Returns true for name look-ups and file-system calls, which run in threads. */
const isThreadWork = (resource: string): boolean => /AddrInfo|NameInfo|^FSReq/.test(resource)
