/** A place one can look at the sky from. */
export interface City {
  readonly name: string
  readonly country: string
  /** Degrees north. */
  readonly latitude: number
  /** Degrees east. */
  readonly longitude: number
  /** IANA time zone. */
  readonly zone: string
}

/** The cities the almanac knows, by name. */
export const cities: readonly City[] = [
  {
    name: 'Auckland',
    country: 'NZ',
    latitude: -36.85,
    longitude: 174.76,
    zone: 'Pacific/Auckland',
  },
  {
    name: 'Cape Town',
    country: 'ZA',
    latitude: -33.92,
    longitude: 18.42,
    zone: 'Africa/Johannesburg',
  },
  { name: 'Chicago', country: 'US', latitude: 41.88, longitude: -87.63, zone: 'America/Chicago' },
  { name: 'Delhi', country: 'IN', latitude: 28.61, longitude: 77.21, zone: 'Asia/Kolkata' },
  { name: 'Lima', country: 'PE', latitude: -12.05, longitude: -77.04, zone: 'America/Lima' },
  { name: 'Lisbon', country: 'PT', latitude: 38.72, longitude: -9.14, zone: 'Europe/Lisbon' },
  { name: 'Nairobi', country: 'KE', latitude: -1.29, longitude: 36.82, zone: 'Africa/Nairobi' },
  { name: 'Oslo', country: 'NO', latitude: 59.91, longitude: 10.75, zone: 'Europe/Oslo' },
  {
    name: 'Reykjavik',
    country: 'IS',
    latitude: 64.15,
    longitude: -21.94,
    zone: 'Atlantic/Reykjavik',
  },
  { name: 'Tokyo', country: 'JP', latitude: 35.68, longitude: 139.69, zone: 'Asia/Tokyo' },
  { name: 'Tromso', country: 'NO', latitude: 69.65, longitude: 18.96, zone: 'Europe/Oslo' },
  { name: 'Zurich', country: 'CH', latitude: 47.38, longitude: 8.54, zone: 'Europe/Zurich' },
]

/**
 * Finds a city by name, whatever its case.
 *
 * @param name A city's name.
 */
export function findCity(name: string): City | undefined {
  return cities.find((city) => city.name.toLowerCase() === name.trim().toLowerCase())
}

/**
 * Lists the names that begin with what was typed so far.
 *
 * @param typed The beginning of a name, in any case.
 */
export function suggestCities(typed: string): string[] {
  const beginning = typed.toLowerCase()
  return cities.map(({ name }) => name).filter((name) => name.toLowerCase().startsWith(beginning))
}
