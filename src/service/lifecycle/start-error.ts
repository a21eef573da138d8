/** The service can not start as it is configured; one sentence for each reason. */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}
