import * as z from 'zod'
import { text, toolResult } from 'mcp-edge'
import type { McpServer } from 'mcp-edge'
import { apps, clientSupports, toolMeta, uiResource } from 'mcp-edge/apps'
import { isoDay, moonAt } from './sky.ts'

const PAGE = 'ui://almanac/moon-dial.html'

/**
 * Adds a tool with a view: hosts that show apps draw the moon, all others read about it.
 *
 * @param server The almanac.
 */
export function addMoonDial(server: McpServer): void {
  server.use(apps())
  server.add(
    uiResource(
      PAGE,
      { name: 'moon-dial', title: 'The moon, drawn', ui: { prefersBorder: true } },
      VIEW,
    ),
  )
  server.tool(
    'moon_dial',
    {
      title: 'The moon as a dial',
      description: 'Shows the moon of a day: drawn where apps are shown, in words elsewhere',
      input: z.object({ date: z.iso.date().optional() }),
      output: z.object({
        date: z.string(),
        phase: z.string(),
        illumination: z.number(),
        ageDays: z.number(),
      }),
      annotations: { readOnlyHint: true },
      meta: toolMeta({ resourceUri: PAGE }),
    },
    ({ date = isoDay() }, ctx) => {
      const { phase, illumination, ageDays } = moonAt(new Date(`${date}T00:00:00Z`))
      const words = `${date}: ${phase}, ${Math.round(illumination * 100)} % lit`
      return toolResult({
        content: [text(clientSupports(ctx) ? `The user sees the dial. ${words}` : words)],
        structuredContent: { date, phase, illumination, ageDays },
      })
    },
  )
}

/** The page: it greets its host, and draws whatever result the host hands over. */
const VIEW = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>The moon</title>
  <style>
    body { margin: 0; padding: 1rem; font: 1rem system-ui; text-align: center }
    svg { width: 8rem; height: 8rem }
  </style>
  <svg viewBox="-1 -1 2 2" role="img" aria-labelledby="words">
    <circle r="1" fill="#222"></circle>
    <path id="lit" fill="#eee"></path>
  </svg>
  <p id="words">Waiting for the moon …</p>
  <script type="module">
    const say = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
    const draw = ({ date, phase, illumination, ageDays }) => {
      const bulge = Math.abs(1 - 2 * illumination)
      const waxing = ageDays < 14.77 ? 1 : 0
      const inner = illumination < 0.5 ? 1 - waxing : waxing
      document.querySelector('#lit').setAttribute(
        'd', 'M0 -1A1 1 0 0 ' + waxing + ' 0 1A' + bulge + ' 1 0 0 ' + inner + ' 0 -1',
      )
      document.querySelector('#words').textContent =
        date + ': ' + phase + ', ' + Math.round(illumination * 100) + ' % lit'
    }
    addEventListener('message', ({ source, data }) => {
      if (source !== parent) return
      if (data.id === 1 && data.result) say({ method: 'ui/notifications/initialized', params: {} })
      if (data.method === 'ui/notifications/tool-result') draw(data.params.structuredContent)
    })
    say({
      id: 1,
      method: 'ui/initialize',
      params: {
        protocolVersion: '2026-01-26',
        appInfo: { name: 'moon-dial', version: '1.0.0' },
        appCapabilities: {},
      },
    })
  </script>
</html>
`
