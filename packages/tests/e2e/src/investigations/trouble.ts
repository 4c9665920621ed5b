import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

export const CALM_MINUTES = 120;
const TROUBLE_MINUTES = 9;

interface Story {
  /** The time of the last payload, ms. */
  now: number;
  tags: Record<string, string>;
  /** The program that uses up the processor in the last minutes; without one the host stays calm. */
  runaway: string | undefined;
}

/** A payload of a host for each minute, of which the first `CALM_MINUTES` are calm. */
export function payloadsOf(host: string, { now, tags, runaway }: Story) {
  return Array.from({ length: CALM_MINUTES + TROUBLE_MINUTES + 1 }, (_, minute) => {
    const isTrouble = runaway !== undefined && minute >= CALM_MINUTES;
    const wave = ((minute * 7) % 5) + (minute % 3) / 3;
    return {
      host,
      timestamp: new Date(now + (minute - CALM_MINUTES - TROUBLE_MINUTES) * MINUTE_MS).toISOString(),
      tags,
      metrics: {
        cpu_percent: (isTrouble ? 94 : 20) + wave,
        memory_percent: 41 + wave / 10,
        load_1: (isTrouble ? 7 : 0.8) + wave / 20,
      },
      processes: [
        { name: 'nginx', pid: 100, cpu_percent: 6 + wave / 5, memory_rss: 200_000_000 },
        { name: 'postgres', pid: 101, cpu_percent: 9 - wave / 5, memory_rss: 900_000_000 },
        ...(isTrouble ? [{ name: runaway, pid: 102, cpu_percent: 72 + wave, memory_rss: 300_000_000 }] : []),
      ],
    };
  });
}
