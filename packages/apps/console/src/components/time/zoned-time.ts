/** The time of a clock in a zone, such as `2026-11-26T03:00`, as ms since the epoch; NaN if either cannot be read. */
export function instantOf(local: string, timeZone: string): number {
  const wanted = Date.parse(`${local}Z`);
  if (Number.isNaN(wanted)) return Number.NaN;
  try {
    // The offset at the guess is that at the time itself, except near a change of the clocks, where a second step finds it.
    const first = wanted - offsetAt(wanted, timeZone);
    return wanted - offsetAt(first, timeZone);
  } catch {
    return Number.NaN;
  }
}

/** The clock of a zone at a time, in the form that fields for times take: `2026-11-26T03:00`. */
export function localTime(at: number, timeZone: string): string {
  return new Date(at + offsetAt(at, timeZone)).toISOString().slice(0, 16);
}

function offsetAt(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const { year, month, day, hour, minute, second } = Object.fromEntries(
    parts.map(({ type, value }) => [type, value]),
  );
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - Math.floor(at / 1_000) * 1_000;
}
