import type { Handlers } from './contract.ts'

export const exact: Pick<Handlers, 'upload' | 'map' | 'mixed'> = {
  upload: ({ body, mediaType }) => {
    if (mediaType === 'application/json') {
      const text: string = body.picture
      return { status: text === '' ? 204 : 204 }
    }
    const file: Buffer = body.file
    const files: Buffer[] | undefined = body.files
    const octets: Buffer | null | undefined = body.octets
    const picture: Buffer | undefined = body.picture
    const id: bigint | undefined = body.metas?.[0]?.id
    const text: string | undefined = body.text
    return { status: file && files && octets && picture && id && text ? 204 : 204 }
  },
  map: ({ body, mediaType }) => {
    if (mediaType === 'multipart/form-data') {
      const picture: Buffer | undefined = body['a']
      return { status: picture ? 204 : 204 }
    }
    const name: string | undefined = body.name
    return { status: name ? 204 : 204 }
  },
  mixed: ({ body }) => ({ status: Buffer.isBuffer(body satisfies Buffer) ? 204 : 204 })
}

export const wrong: Pick<Handlers, 'upload'> = {
  upload: ({ body, mediaType }) => {
    // @ts-expect-error bytes are not a string
    const text: string | undefined = mediaType === 'multipart/form-data' ? body.picture : undefined
    return { status: text ? 204 : 204 }
  }
}
