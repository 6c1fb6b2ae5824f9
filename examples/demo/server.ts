import * as z from 'zod'
import { image, McpServer, ResourceNotFoundError, text, ToolError, userMessage } from 'mcp-edge'
import { cities, type City, findCity, suggestCities } from './cities.ts'
import { addMoonDial } from './moon-dial.ts'
import { moonPicture } from './moon-picture.ts'
import { clockIn, darkness, isoDay, moonAt, nextDay, sunOn } from './sky.ts'

const cityName = z.string().describe('A city the almanac knows, for example Oslo')
const day = z.iso.date().describe('A day, YYYY-MM-DD; today when left out').optional()

const sunTimes = z.object({
  city: z.string(),
  date: z.string(),
  sunrise: z.string().nullable().describe('Local time, null when the sun does not rise'),
  sunset: z.string().nullable().describe('Local time, null when the sun does not set'),
  daylightMinutes: z.int(),
})

const moonReport = z.object({
  date: z.string(),
  phase: z.string(),
  ageDays: z.number(),
  illumination: z.number().min(0).max(1),
})

const nightPlan = z.object({
  city: z.string(),
  nights: z.array(z.object({ date: z.string(), darkness: z.number(), moon: z.string() })),
})

/**
 * Builds the demo: an almanac of sun, moon and dark nights, with a journal of what was seen.
 *
 * Everything is computed, so it works offline and answers at once.
 */
export function almanac(): McpServer {
  const server = new McpServer({
    name: 'almanac',
    title: 'Stargazer’s almanac',
    version: '1.0.0',
    instructions: 'Sun, moon and the best nights for stargazing in a dozen cities.',
  })
  addTools(server)
  addMoonPicture(server)
  addMoonDial(server)
  addJournal(server)
  addResources(server)
  addPrompt(server)
  return server
}

function addTools(server: McpServer): void {
  server.tool(
    'sun_times',
    {
      title: 'Sunrise and sunset',
      description: 'When the sun rises and sets in a city, in its local time',
      input: z.object({ city: cityName, date: day }),
      output: sunTimes,
      annotations: { readOnlyHint: true },
    },
    ({ city, date }) => describeSun(cityOr(city), date ?? isoDay()),
  )
  server.tool(
    'moon_phase',
    {
      title: 'Phase of the moon',
      description: 'How much of the moon is lit on a day',
      input: z.object({ date: day }),
      output: moonReport,
      annotations: { readOnlyHint: true },
    },
    ({ date = isoDay() }) => ({ date, ...moonAt(new Date(`${date}T00:00:00Z`)) }),
  )
  server.tool(
    'dark_nights',
    {
      title: 'Find dark nights',
      description: 'The darkest nights for stargazing from a day on; reports progress per night',
      input: z.object({ city: cityName, from: day, nights: z.int().min(1).max(60).default(30) }),
      output: nightPlan,
      annotations: { readOnlyHint: true },
    },
    async ({ city, from, nights }, ctx) => {
      const place = cityOr(city)
      const rated: { date: string; darkness: number; moon: string }[] = []
      let date = from ?? isoDay()
      while (rated.length < nights) {
        ctx.signal.throwIfAborted()
        const moon = moonAt(new Date(`${date}T00:00:00Z`)).phase
        rated.push({ date, darkness: darkness(place, date), moon })
        await ctx.progress(rated.length, { total: nights, message: `looked at ${date}` })
        date = nextDay(date)
      }
      const best = rated.toSorted((a, b) => b.darkness - a.darkness).slice(0, 5)
      return { city: place.name, nights: best }
    },
  )
}

function addMoonPicture(server: McpServer): void {
  server.tool(
    'moon_picture',
    {
      title: 'Picture of the moon',
      description: 'Draws the moon as it looks on a day',
      input: z.object({ date: day, size: z.int().min(16).max(512).default(128) }),
      annotations: { readOnlyHint: true },
    },
    async ({ date = isoDay(), size }) => {
      const moon = moonAt(new Date(`${date}T00:00:00Z`))
      return [
        text(`${date}: ${moon.phase}, ${Math.round(moon.illumination * 100)} % lit`),
        image(await moonPicture(moon, size), 'image/png'),
      ]
    },
  )
}

function addJournal(server: McpServer): void {
  const entries: string[] = []
  server.tool(
    'note_observation',
    {
      title: 'Write into the journal',
      description:
        'Keeps a line about something seen in the sky; read it at journal://observations',
      input: z.object({ city: cityName, seen: z.string().min(1).max(500) }),
      annotations: { destructiveHint: false },
    },
    async ({ city, seen }, ctx) => {
      if (entries.length >= 1_000) throw new ToolError('The journal is full.')
      entries.push(`- ${isoDay()}, ${cityOr(city).name}: ${seen.replaceAll(/\s+/g, ' ')}`)
      await ctx.notify.resourceUpdated('journal://observations')
      return `Noted. The journal holds ${entries.length} line(s).`
    },
  )
  server.tool(
    'clear_journal',
    {
      title: 'Clear the journal',
      description: 'Throws the journal away, after asking the user',
      annotations: { destructiveHint: true },
    },
    async (_input, ctx) => {
      const message = `Throw away ${entries.length} line(s)?`
      const answer = await ctx.elicit('sure', { message, schema: z.object({ sure: z.boolean() }) })
      if (answer.action !== 'accept' || !answer.content.sure) return 'The journal is kept.'
      entries.length = 0
      await ctx.notify.resourceUpdated('journal://observations')
      return 'The journal is empty.'
    },
  )
  server.resource(
    'journal://observations',
    { name: 'journal', title: 'Journal', description: 'What was seen', mimeType: 'text/markdown' },
    () => ['# Journal', '', ...(entries.length === 0 ? ['Nothing yet.'] : entries)].join('\n'),
  )
}

function addResources(server: McpServer): void {
  server.resource(
    'almanac://cities',
    { name: 'cities', title: 'Cities', description: 'Every city', mimeType: 'application/json' },
    () => JSON.stringify(cities, null, 2),
  )
  server.resource(
    'almanac://moon.png',
    { name: 'moon', title: 'The moon today', description: 'A picture', mimeType: 'image/png' },
    () => moonPicture(moonAt(new Date()), 128),
  )
  server.resourceTemplate(
    'almanac://cities/{city}',
    {
      name: 'city',
      title: 'A city today',
      description: 'Where a city lies and its sun today',
      mimeType: 'application/json',
      complete: { city: suggestCities },
    },
    ({ city }, _ctx, uri) => {
      const place = findCity(city)
      if (place === undefined) throw new ResourceNotFoundError(uri)
      return JSON.stringify({ ...place, sun: describeSun(place, isoDay()) }, null, 2)
    },
  )
}

function addPrompt(server: McpServer): void {
  server.prompt(
    'plan_stargazing',
    {
      title: 'Plan a night under the stars',
      description: 'Asks for a plan built on the almanac',
      input: z.object({
        city: z.string().describe('Where'),
        wish: z.string().describe('What you hope to see').optional(),
      }),
      complete: { city: suggestCities },
    },
    ({ city, wish }) => [
      userMessage(
        `Find the darkest night of the next month in ${city} with the almanac's tools, ` +
          `say when the sun sets and what the moon does, and plan the evening` +
          (wish === undefined ? '.' : ` so that I can see ${wish}.`),
      ),
    ],
  )
}

function cityOr(name: string): City {
  const city = findCity(name)
  if (city !== undefined) return city
  const known = cities.map((each) => each.name).join(', ')
  throw new ToolError(`The almanac does not know "${name}". It knows ${known}.`)
}

function describeSun(city: City, date: string): z.infer<typeof sunTimes> {
  const { sunrise, sunset, daylightMinutes } = sunOn(city, date)
  return {
    city: city.name,
    date,
    sunrise: sunrise === undefined ? null : clockIn(city, sunrise),
    sunset: sunset === undefined ? null : clockIn(city, sunset),
    daylightMinutes,
  }
}
