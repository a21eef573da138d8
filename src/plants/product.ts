/** Texts of this service that users see and that are not in the contract. */

/** Environment variables that only some services have, and their defaults. */
export const variables = { defaults: { DATABASE_URL: 'sqlite:data/plants.db' }, tokens: true } as const

/** Prefix of the tokens of this service, for people and secret scanners. */
export const tokenPrefix = 'plant_'

/** Returns the file of an operation's handler: `createPlant` is in `src/plants/create-plant.ts`. */
export const handlerFile = (operationId: string): string =>
  `src/plants/${operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`
