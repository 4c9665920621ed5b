import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tidewatch/contracts/time/duration';
import { type Zone, zoneName } from '../../components/time/time-format.ts';
import { timeOfWallClock, wallClock } from '../../components/time/wall-clock.ts';
import type { Range } from '../data/range.ts';

export interface TimeTick {
  at: number;
  label: string;
}

const CLOCK_STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
];
const DAY_STEPS = [1, 2, 7, 14];
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60];
const MONTH_MS = 30.4 * DAY_MS;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Ticks of a time axis at round times of the zone's clock, no more than `max`. No label appears twice. */
export function timeTicks(range: Range, max: number, zone: Zone): TimeTick[] {
  const length = range.to - range.from;
  const fits = (step: number) => length / step <= max;
  const clock = CLOCK_STEPS_MS.find(fits);
  if (clock !== undefined) return clockTicks(range, clock, zone);
  const days = DAY_STEPS.find((step) => fits(step * DAY_MS));
  if (days !== undefined) return dayTicks(range, days, zone);
  const months = MONTH_STEPS.find((step) => fits(step * MONTH_MS)) ?? 120;
  return monthTicks(range, months, zone);
}

function clockTicks({ from, to }: Range, step: number, zone: Zone): TimeTick[] {
  const ticks: TimeTick[] = [];
  const labels = new Set<string>();
  // Clocks change by no less than half an hour, so that finer ticks stay regular across a change.
  const stride = Math.min(step, HOUR_MS / 2);
  for (let at = Math.ceil(from / stride) * stride; at <= to; at += stride) {
    const wall = wallClock(at, zone);
    if (wall % step !== 0) continue;
    const text = wall % DAY_MS === 0 ? dayLabel(wall) : clockLabel(wall, step);
    if (!labels.has(text)) ticks.push({ at, label: text });
    // The hour that comes twice: the second one bears the name of its zone, and coarse ticks leave it out.
    else if (step <= HOUR_MS && isRepeated(at, zone))
      ticks.push({ at, label: `${text} ${zoneName(at, zone)}` });
    else if (to - from > DAY_MS && !isRepeated(at, zone)) ticks.push({ at, label: text });
    labels.add(text);
  }
  return uniqueAcrossDays(ticks, zone);
}

/** Whether clocks showed the same an hour before. */
function isRepeated(at: number, zone: Zone): boolean {
  const wall = wallClock(at, zone);
  return wallClock(at - HOUR_MS, zone) === wall || wallClock(at - HOUR_MS / 2, zone) === wall;
}

/** Times of day recur on the next day: the day distinguishes them. */
function uniqueAcrossDays(ticks: TimeTick[], zone: Zone): TimeTick[] {
  const seen = new Set<string>();
  return ticks.map(({ at, label }) => {
    const wall = wallClock(at, zone);
    const unique = seen.has(label) ? `${DAYS[new Date(wall).getUTCDay()]} ${label}` : label;
    seen.add(unique);
    return { at, label: unique };
  });
}

function dayTicks({ from, to }: Range, days: number, zone: Zone): TimeTick[] {
  const ticks: TimeTick[] = [];
  const step = days * DAY_MS;
  // Weeks begin on Mondays; the epoch was a Thursday.
  const shift = days % 7 === 0 ? 4 * DAY_MS : 0;
  for (let wall = Math.floor((wallClock(from, zone) - shift) / step) * step + shift; ; wall += step) {
    const at = timeOfWallClock(wall, zone);
    if (at > to) return ticks;
    if (at >= from)
      ticks.push({ at, label: days === 1 && to - from < 10 * DAY_MS ? dayLabel(wall) : dateLabel(wall) });
  }
}

function monthTicks({ from, to }: Range, months: number, zone: Zone): TimeTick[] {
  const ticks: TimeTick[] = [];
  const first = new Date(wallClock(from, zone));
  const start = Math.floor((first.getUTCFullYear() * 12 + first.getUTCMonth()) / months) * months;
  for (let month = start; ; month += months) {
    const wall = Date.UTC(Math.floor(month / 12), month % 12, 1);
    const at = timeOfWallClock(wall, zone);
    if (at > to) return ticks;
    if (at >= from) ticks.push({ at, label: monthLabel(wall) });
  }
}

function clockLabel(wall: number, step: number): string {
  const text = new Date(wall).toISOString();
  return step < MINUTE_MS ? text.slice(11, 19) : text.slice(11, 16);
}

function dayLabel(wall: number): string {
  const date = new Date(wall);
  return `${DAYS[date.getUTCDay()]} ${date.getUTCDate()}`;
}

function dateLabel(wall: number): string {
  const date = new Date(wall);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

function monthLabel(wall: number): string {
  const date = new Date(wall);
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
