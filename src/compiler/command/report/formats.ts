/** Formats of every report, which a command line names before any of them is loaded. */
export const formats = ['text', 'json', 'markdown', 'github', 'sarif', 'junit'] as const
export type Format = (typeof formats)[number]
