/**
 * A browser without a screen: follows redirects, keeps cookies, and fills in the forms that a real
 * authorization server shows.
 *
 * @module
 */

const MAX_STEPS = 20

/**
 * Signs in and agrees to everything, until the server sends the user back.
 *
 * @param start the page the user is sent to
 * @param redirectUri where the user comes back
 * @returns the URL of the callback
 */
export async function signInByFetch(start: URL, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = start.href
  let body: URLSearchParams | undefined
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (url.startsWith(redirectUri)) return url
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { cookie },
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    body = undefined
    const location = response.headers.get('location')
    const text = await response.text()
    if (location === null) {
      const [, action] = /<form[^>]* action="([^"]+)"/.exec(text) ?? []
      if (action === undefined) throw new Error(`no form: ${String(response.status)} ${text}`)
      body = new URLSearchParams({ login: 'ada', password: 'x' })
      const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(text) ?? []
      body.set('prompt', prompt)
      url = new URL(action, url).href
    } else url = new URL(location, url).href
  }
  throw new Error(`not back after ${String(MAX_STEPS)} steps`)
}
