/**
 * A browser without a screen: follows redirects, keeps cookies, and fills in the forms that a real
 * authorization server shows.
 *
 * @module
 */

const MAX_STEPS = 20

interface Visit {
  readonly url: string
  readonly body?: URLSearchParams | undefined
}

/**
 * Signs in and agrees to everything, until the server sends the user back.
 *
 * @param start the page the user is sent to
 * @param redirectUri where the user comes back
 * @returns the URL of the callback
 */
export async function signInByFetch(start: URL, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>()
  let visit: Visit = { url: start.href }
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (visit.url.startsWith(redirectUri)) return visit.url
    const response = await load(visit, cookies)
    const location = response.headers.get('location')
    const text = await response.text()
    visit =
      location === null ? filledIn(text, visit.url) : { url: new URL(location, visit.url).href }
  }
  throw new Error(`not back after ${String(MAX_STEPS)} steps`)
}

async function load({ url, body }: Visit, cookies: Map<string, string>): Promise<Response> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const init: RequestInit = { headers: { cookie }, redirect: 'manual' }
  const posting = body === undefined ? init : { ...init, method: 'POST', body }
  const response = await fetch(url, posting)
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
  return response
}

function filledIn(page: string, url: string): Visit {
  const [, action] = /<form[^>]* action="([^"]+)"/.exec(page) ?? []
  if (action === undefined) throw new Error(`no form: ${page}`)
  const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(page) ?? []
  const body = new URLSearchParams({ prompt, login: 'ada', password: 'x' })
  return { url: new URL(action, url).href, body }
}
