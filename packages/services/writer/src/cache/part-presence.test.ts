import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { describe, expect, it } from 'vitest';
import { PartPresence, type SeenPart } from './part-presence.ts';

const NOW = Date.UTC(2026, 10, 28, 12);

function open() {
  const presence = new PartPresence<SeenPart>();
  const [root, data]: [SeenPart, SeenPart] = [
    { seenAt: NOW, isGone: false },
    { seenAt: NOW, isGone: false },
  ];
  const all = [root, data];
  const both = [root, data];
  const rootAlone = [root];
  return { presence, root, data, both, rootAlone, see: see(presence, all) };
}

const see =
  (presence: PartPresence<SeenPart>, all: SeenPart[]) => (present: readonly SeenPart[], time: number) =>
    presence.see(present, all, time);

describe('which parts of a host are gone', () => {
  it('a part is gone a day after its last sample, by samples of the other parts, within an hour', () => {
    const { data, both, rootAlone, see } = open();
    for (let time = NOW; time <= NOW + 3 * HOUR_MS; time += MINUTE_MS) expect(see(both, time)).toEqual([]);
    const last = NOW + 3 * HOUR_MS;
    let goneAt: number | null = null;
    for (let time = last + MINUTE_MS; goneAt === null && time < last + 2 * DAY_MS; time += MINUTE_MS)
      if (see(rootAlone, time).length > 0) goneAt = time;
    expect(goneAt).toBeGreaterThanOrEqual(last + DAY_MS);
    expect(goneAt).toBeLessThanOrEqual(last + DAY_MS + HOUR_MS);
    expect(data).toEqual({ isGone: true, seenAt: last });
  });

  it('a host that was away for days as a whole keeps its parts', () => {
    const { both, see } = open();
    see(both, NOW);
    expect(see(both, NOW + 9 * DAY_MS)).toEqual([]);
  });

  it('a part that comes back is there with its first sample', () => {
    const { data, both, rootAlone, see } = open();
    see(both, NOW);
    expect(see(rootAlone, NOW + 2 * DAY_MS)).toEqual([data]);
    expect(see(both, NOW + 2 * DAY_MS + 1)).toEqual([data]);
    expect(data.isGone).toBe(false);
  });

  it('a late sample brings a part back only if it is from the last day', () => {
    const { data, both, rootAlone, see } = open();
    see(both, NOW);
    see(rootAlone, NOW + 3 * DAY_MS);
    expect(see([data], NOW + DAY_MS)).toEqual([]);
    expect(see([data], NOW + 2 * DAY_MS + MINUTE_MS)).toEqual([data]);
  });

  it('a part whose only samples are older than a day is gone from the start', () => {
    const { both, see } = open();
    see(both, NOW);
    const old = { isGone: false, seenAt: NOW - 2 * DAY_MS };
    expect(see([old], NOW - 2 * DAY_MS)).toEqual([old]);
    expect(old.isGone).toBe(true);
  });

  it('stored times count after a restart', () => {
    const presence = new PartPresence<SeenPart>();
    const away = { seenAt: NOW - DAY_MS, isGone: false };
    const there = { seenAt: NOW, isGone: false };
    for (const part of [away, there]) presence.know(part);
    expect(presence.see([there], [away, there], NOW + MINUTE_MS)).toEqual([away]);
  });

  it('nothing is gone because the clock of its host was set back', () => {
    const { presence, both, rootAlone, root, data, see } = open();
    see(both, NOW + 5 * DAY_MS);
    see(rootAlone, NOW + 5 * DAY_MS + MINUTE_MS);
    presence.setBack([root, data], NOW);
    expect(see(rootAlone, NOW + MINUTE_MS)).toEqual([]);
    expect(see(rootAlone, NOW + DAY_MS + HOUR_MS)).toEqual([data]);
  });
});
