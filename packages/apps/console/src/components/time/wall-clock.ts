import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Zone } from './time-format.ts';

/** All offsets of zones are multiples of this, and clocks change at multiples of it. */
const QUARTER_MS = 15 * MINUTE_MS;
const MAX_CACHED = 4_000;
const offsets = new Map<number, number>();

/** How far the zone is ahead of UTC at that time, ms. */
export function offsetAt(at: number, zone: Zone): number {
  if (zone === 'utc') return 0;
  const quarter = Math.floor(at / QUARTER_MS);
  let offset = offsets.get(quarter);
  if (offset === undefined) {
    if (offsets.size >= MAX_CACHED) offsets.clear();
    offset = -new Date(quarter * QUARTER_MS).getTimezoneOffset() * MINUTE_MS;
    offsets.set(quarter, offset);
  }
  return offset;
}

/** What clocks of the zone show then, as if it were UTC, ms. */
export function wallClock(at: number, zone: Zone): number {
  return at + offsetAt(at, zone);
}

/** The first time at which clocks of the zone show this; where they skip it, the moment of the skip. */
export function timeOfWallClock(wall: number, zone: Zone): number {
  const around = [
    wall - offsetAt(wall - 12 * 60 * MINUTE_MS, zone),
    wall - offsetAt(wall + 12 * 60 * MINUTE_MS, zone),
  ];
  const exact = around.filter((at) => wallClock(at, zone) === wall);
  return exact.length > 0 ? Math.min(...exact) : Math.max(...around);
}

/** A time as fields of times take it: `2026-11-26T03:12:40` by clocks of the zone. */
export function clockText(at: number, zone: Zone): string {
  return new Date(wallClock(at, zone)).toISOString().slice(0, 19);
}

/** The time that a field shows; NaN where it is not filled in. */
export function timeOfClockText(text: string, zone: Zone): number {
  return timeOfWallClock(Date.parse(`${text}Z`), zone);
}
