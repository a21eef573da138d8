/** Settings of V8 for a command that ends within seconds. */
import { setFlagsFromString } from 'node:v8'

/**
 * Leaves out V8's last compiler, whose threads take longer than their code saves in a few seconds. On the command line the
 * option would make V8 reject Node's cached code.
 */
export const runBriefly = (): void => setFlagsFromString('--no-turbofan')
