/** The part of `oidc-provider` that is used; the package brings no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  export class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    on(
      event: string,
      listener: (context: {
        readonly oidc: { readonly params?: Readonly<Record<string, unknown>> }
      }) => void,
    ): this
  }
}
