/** Error for a service that cannot start as configured. Each problem is one sentence. */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}
