/** Error for a service that cannot start as configured. Each problem is one sentence. */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process listens there: stop it, or set another port',
  EADDRNOTAVAIL: 'this machine does not have that address: set one that it has, such as 127.0.0.1',
  EACCES: 'this user may not listen there: set a port above 1023',
  ENOTFOUND: 'that name cannot be resolved: set an address, such as 127.0.0.1'
}

/**
 * Turns a listen error into a StartError that names the variables and a remedy.
 * @throws {StartError}
 */
export async function listening<T>(variables: string, started: Promise<T>): Promise<T> {
  return started.catch((error: NodeJS.ErrnoException) => {
    const sentences = [`${variables}: ${error.message}`, remedies[String(error.code)]]
    throw new StartError([sentences.filter((sentence) => sentence !== undefined).join('; ')])
  })
}

/**
 * Turns an error of Fastify, which explains itself, into a sentence; all others keep their stack.
 * @throws {StartError} or the error
 */
export async function explained(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const { code, message } = Object(error)
    if (/^Not found handler already set/.test(String(message)))
      throw new StartError([
        'extend: setNotFoundHandler: requests without a route are answered in the error shape of the contract; set the handler in a plugin with a prefix'
      ])
    throw /^(AVV|FST)_ERR_/.test(String(code)) ? new StartError([`extend: ${message}`]) : error
  }
}
