/** The numbers of a JSON text that their doubles do not spell: made by json/, read by runtime/ and server/. */

/** The integer that was spelled, a fraction whose double is an integer, or a number beyond all doubles. */
export type Inexactness = bigint | 'fraction' | 'overflow'

/** By object or array that holds the number, then by property name or index. */
export type Exactness = Map<object, Map<string, Inexactness>>
