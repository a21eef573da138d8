/** Packs these packages for projects that install them from files. */
export * from '../../../tools/new/command/pack.ts'
