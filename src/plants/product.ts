/** Texts of this service that its users see and its contract does not hold. */

/** The environment variables that not every service has, and their defaults. */
export const variables = { defaults: { DATABASE_URL: 'sqlite:data/plants.db' }, tokens: true } as const

/** Prefix of the tokens that this service makes: people and secret scanners recognise it. */
export const tokenPrefix = 'plant_'

/** Returns the file of an operation's handler: `createPlant` is in `src/plants/create-plant.ts`. */
export const handlerFile = (operationId: string): string =>
  `src/plants/${operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`
