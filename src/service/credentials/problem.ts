/** Notes the reason for which a credential was refused, for the log only. */

const problems = new WeakMap<object, string>()

/** @param request undefined where the reason is not logged */
export function noteCredentialProblem(request: object | undefined, problem: string): undefined {
  if (request !== undefined) problems.set(request, problem)
}

export const credentialProblemOf = (request: object): string | undefined => problems.get(request)
