/** Syntax of one scope (RFC 6749, section 3.3). */
export const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/
