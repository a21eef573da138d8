/** Notes why the credential of a request was refused, for the log only: its client need not know. */

const problems = new WeakMap<object, string>()

/** @param request undefined where nobody asks for the reason */
export function noteCredentialProblem(request: object | undefined, problem: string): undefined {
  if (request !== undefined) problems.set(request, problem)
}

export const credentialProblemOf = (request: object): string | undefined => problems.get(request)
