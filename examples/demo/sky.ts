import type { City } from './cities.ts'

const DAY_MS = 86_400_000
/** Mean length of a lunation, in days. */
const SYNODIC_MONTH = 29.530588853
/** A new moon: 2000-01-06 18:14 UTC. */
const KNOWN_NEW_MOON = Date.UTC(2000, 0, 6, 18, 14)
/** Where the sun's centre stands when its upper edge touches the horizon, refraction included, in degrees. */
const HORIZON = -0.833
const PHASES = [
  'new moon',
  'waxing crescent',
  'first quarter',
  'waxing gibbous',
  'full moon',
  'waning gibbous',
  'last quarter',
  'waning crescent',
] as const

/** The moon at an instant. */
export interface Moon {
  readonly phase: (typeof PHASES)[number]
  /** Days since new moon. */
  readonly ageDays: number
  /** The lit part of the disc, 0 to 1. */
  readonly illumination: number
}

/**
 * Computes the moon's mean phase, right to about half a day.
 *
 * @param at The instant.
 */
export function moonAt(at: Date): Moon {
  const lunations = (at.getTime() - KNOWN_NEW_MOON) / DAY_MS / SYNODIC_MONTH
  const turn = lunations - Math.floor(lunations)
  return {
    phase: PHASES[Math.round(turn * 8) % 8] ?? 'new moon',
    ageDays: round(turn * SYNODIC_MONTH, 1),
    illumination: round((1 - Math.cos(2 * Math.PI * turn)) / 2, 2),
  }
}

/** The sun over one day; no times where it does not rise or set that day. */
export interface SunDay {
  readonly sunrise: Date | undefined
  readonly sunset: Date | undefined
  readonly daylightMinutes: number
}

/**
 * Computes sunrise and sunset with the sunrise equation, right to a few minutes.
 *
 * @param city Where.
 * @param date The day, `YYYY-MM-DD`, as the city's calendar has it.
 * @see https://en.wikipedia.org/wiki/Sunrise_equation
 */
export function sunOn(city: City, date: string): SunDay {
  const noon = Date.parse(`${date}T12:00:00Z`)
  const days = Math.round((noon - Date.UTC(2000, 0, 1, 12)) / DAY_MS)
  const mean = days + 0.0008 - city.longitude / 360
  const anomaly = (357.5291 + 0.98560028 * mean) % 360
  const centre = 1.9148 * sin(anomaly) + 0.02 * sin(2 * anomaly) + 0.0003 * sin(3 * anomaly)
  const longitude = (anomaly + centre + 180 + 102.9372) % 360
  const transit = mean + 0.0053 * sin(anomaly) - 0.0069 * sin(2 * longitude)
  const declination = degrees(Math.asin(sin(longitude) * sin(23.44)))
  const cosine =
    (sin(HORIZON) - sin(city.latitude) * sin(declination)) / (cos(city.latitude) * cos(declination))
  if (cosine > 1) return { sunrise: undefined, sunset: undefined, daylightMinutes: 0 }
  if (cosine < -1) return { sunrise: undefined, sunset: undefined, daylightMinutes: 1_440 }
  const half = degrees(Math.acos(cosine)) / 360
  return {
    sunrise: fromJ2000(transit - half),
    sunset: fromJ2000(transit + half),
    daylightMinutes: Math.round(half * 2 * 1_440),
  }
}

/**
 * Writes an instant as a city's clock shows it, `HH:MM`.
 *
 * @param city Whose clock.
 * @param at The instant.
 */
export function clockIn(city: City, at: Date): string {
  return at.toLocaleTimeString('en-GB', {
    timeZone: city.zone,
    hour: '2-digit',
    minute: '2-digit',
  })
}

/**
 * Rates a night for stargazing, 0 to 1: long and moonless is best.
 *
 * @param city Where.
 * @param date The evening, `YYYY-MM-DD`.
 */
export function darkness(city: City, date: string): number {
  const night = (1_440 - sunOn(city, date).daylightMinutes) / 1_440
  const moon = moonAt(new Date(`${nextDay(date)}T00:00:00Z`))
  return round(Math.min(1, night * 2) * (1 - moon.illumination), 2)
}

/**
 * Names the day after a day.
 *
 * @param date A day, `YYYY-MM-DD`.
 */
export function nextDay(date: string): string {
  return isoDay(new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS))
}

/**
 * Writes the day of an instant, `YYYY-MM-DD` in UTC.
 *
 * @param at The instant. Default now.
 */
export function isoDay(at: Date = new Date()): string {
  return at.toISOString().slice(0, 10)
}

function fromJ2000(days: number): Date {
  return new Date(Date.UTC(2000, 0, 1, 12) + days * DAY_MS)
}

function sin(angle: number): number {
  return Math.sin((angle * Math.PI) / 180)
}

function cos(angle: number): number {
  return Math.cos((angle * Math.PI) / 180)
}

function degrees(radians: number): number {
  return (radians * 180) / Math.PI
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
