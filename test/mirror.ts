/** Source files that have no test of their name, and the test that covers each. */
export const coveredBy: Readonly<Record<string, string>> = {}
