import { keyRecordOf } from '@tidewatch/contracts/keys/key-record.fixture';
import type { KeyUse } from '@tidewatch/contracts/values/access';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSilentLogger } from '../telemetry/logger.ts';
import { type KeyUses, startKeyUses } from './key-uses.ts';

const KEY = keyRecordOf();

describe('startKeyUses', () => {
  let written: KeyUse[][];
  let away: boolean;
  let uses: KeyUses;

  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
    written = [];
    away = false;
    uses = startKeyUses({
      clock: Date.now,
      logger: createSilentLogger(),
      write: async (noted) => {
        if (away) throw new Error('away');
        written.push(noted);
      },
    });
  });

  afterEach(async () => {
    await uses.stop();
    vi.useRealTimers();
  });

  it('writes the first use of a key within seconds, then the last one at most once a minute', async () => {
    for (let second = 0; second < 130; second += 1) {
      uses.note(KEY);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(written.map(([use]) => use?.at)).toEqual([4_000, 64_000, 124_000]);
  });

  it('writes the uses of several keys in one batch, with their hosts', async () => {
    uses.note(KEY);
    uses.noteHosts(KEY, [{ host: 'a' }, { host: 'b' }, { host: 'a' }]);
    uses.note({ ...KEY, id: 'key_2' });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(written).toEqual([
      [
        { organizationId: 'org_1', keyId: 'key_1', at: 0, hosts: ['a', 'b'] },
        { organizationId: 'org_1', keyId: 'key_2', at: 0, hosts: [] },
      ],
    ]);
  });

  it('records at most a hundred hosts of a key', async () => {
    uses.note(KEY);
    uses.noteHosts(
      KEY,
      Array.from({ length: 250 }, (_, index) => ({ host: `h${index}` })),
    );
    await uses.stop();
    expect(written[0]?.[0]?.hosts).toHaveLength(100);
  });

  it('writes buffered uses when it stops, and continues after a failed write', async () => {
    away = true;
    uses.note(KEY);
    await vi.advanceTimersByTimeAsync(5_000);
    away = false;
    uses.note(KEY);
    await uses.stop();
    expect(written.map(([use]) => use?.at)).toEqual([5_000]);
  });
});
