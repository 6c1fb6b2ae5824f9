import type { Moon } from './sky.ts'

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** The lunation `Moon.ageDays` counts in, in days. */
const MONTH = 29.530588853
const SKY = 12
const DARK_SIDE = 34
const BRIGHT_SIDE = 236

/**
 * Draws the moon as a PNG, seen from the northern hemisphere.
 *
 * @param moon Its phase.
 * @param size Width and height in pixels.
 */
export async function moonPicture(moon: Moon, size: number): Promise<Uint8Array> {
  const rows = new Uint8Array(size * (size + 1))
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) rows[y * (size + 1) + 1 + x] = shade(moon, size, { x, y })
  }
  const header = new Uint8Array([...bigEndian(size), ...bigEndian(size), 8, 0, 0, 0, 0])
  const parts = [
    new Uint8Array(SIGNATURE),
    chunk('IHDR', header),
    chunk('IDAT', await deflate(rows)),
    chunk('IEND', new Uint8Array()),
  ]
  return new Uint8Array(parts.flatMap((part) => [...part]))
}

/** Grey value of one pixel: sky, the dark side, or the lit side with a little texture. */
function shade(moon: Moon, size: number, at: { readonly x: number; readonly y: number }): number {
  const radius = size * 0.44
  const x = (at.x + 0.5 - size / 2) / radius
  const y = (at.y + 0.5 - size / 2) / radius
  if (x * x + y * y > 1) return SKY
  const turn = moon.ageDays / MONTH
  const terminator = Math.cos(2 * Math.PI * turn) * Math.sqrt(1 - y * y)
  const lit = turn < 0.5 ? x > terminator : x < -terminator
  if (!lit) return DARK_SIDE
  const maria = Math.sin(7 * x + 2 * y) * Math.cos(5 * y - 3 * x)
  return Math.round(BRIGHT_SIDE - 26 * Math.max(0, maria) - 30 * (x * x + y * y))
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = new Uint8Array([...new TextEncoder().encode(type), ...data])
  return new Uint8Array([...bigEndian(data.length), ...body, ...bigEndian(crc32(body))])
}

function bigEndian(value: number): readonly number[] {
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
}

function crc32(bytes: Uint8Array): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}
