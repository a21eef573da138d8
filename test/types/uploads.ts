import type { FilePart, Handlers } from './contract.ts'

export const exact: Pick<Handlers, 'addPhoto'> = {
  addPhoto: ({ body }) => {
    const photo: Buffer | undefined = body.photo
    const file: FilePart | undefined = body.scans?.[0]
    const filename: string | undefined = body.photo?.filename
    const mediaType: string | undefined = body.scan?.mediaType
    const title: string | undefined = body.title
    return { status: photo && file && filename && mediaType && title ? 204 : 204 }
  }
}

export const wrong: Pick<Handlers, 'addPhoto'> = {
  addPhoto: ({ body }) => {
    // @ts-expect-error a text has no file name
    const filename: string | undefined = body.title?.filename
    return { status: filename ? 204 : 204 }
  }
}
