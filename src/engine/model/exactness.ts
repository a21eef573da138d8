/** Numbers of a JSON text whose doubles are inexact: listed by json/, read by runtime/ and server/. */

/** The exact integer, a fraction whose double is an integer, or a number beyond all doubles. */
export type Inexactness = bigint | 'fraction' | 'overflow'

/** Inexact numbers by the object or array that holds them, then by property name or index. */
export type Exactness = Map<object, Map<string, Inexactness>>
