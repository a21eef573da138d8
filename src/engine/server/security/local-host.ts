/** Hosts that are this machine. */

/** Returns whether the host name of a URL is this machine's alone, as browsers decide (Secure Contexts, section 3.1). */
export const isLoopback = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname)
