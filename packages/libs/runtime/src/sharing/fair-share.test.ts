import { describe, expect, it } from 'vitest';
import { FairShare, type FairShareOptions } from './fair-share.ts';
import { FairShareError } from './fair-share-error.ts';

function share(options: Partial<FairShareOptions> = {}): FairShare {
  return new FairShare({
    capacity: 4,
    maxPerOrganization: 3,
    maxWaitingPerOrganization: 100,
    maxWaitMs: 10_000,
    ...options,
  });
}

/** Requests units and records the name once they are granted. */
function note(from: FairShare, granted: string[], name: string, units = 1) {
  const organizationId = name.slice(0, 1);
  return from.take(organizationId, units).then((holding) => {
    granted.push(name);
    return holding;
  });
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('units taken at once', () => {
  it('are limited for one organization and for all together', () => {
    const units = share();
    expect(units.tryTake('a', 3)?.units).toBe(3);
    expect(units.tryTake('a', 1)).toBeUndefined();
    expect(units.isOrganizationFull('a', 1)).toBe(true);
    expect(units.tryTake('b', 2)).toBeUndefined();
    expect(units.isOrganizationFull('b', 2)).toBe(false);
    expect(units.tryTake('b', 1)?.units).toBe(1);
    expect(units.tryTake('b', 1, { isFinal: false })).toBeUndefined();
    expect(units.counters()).toMatchObject({ heldUnits: 4, refused: { organization_full: 1, full: 1 } });
  });

  it('count equally without a holding, and go to waiting requests when returned', async () => {
    const units = share();
    expect(units.tryHold('a', 3)).toBe(true);
    expect(units.tryHold('a', 1)).toBe(false);
    expect(units.tryHold('b', 1)).toBe(true);
    const waiting = units.take('b', 2);
    units.giveBack('a', 1);
    units.giveBack('a', 2);
    expect((await waiting).units).toBe(2);
    units.giveBack('b', 1);
    expect(units.counters()).toMatchObject({ heldUnits: 2, organizations: 1 });
  });

  it('shrink and never grow, and are returned once', () => {
    const units = share();
    const holding = units.tryTake('a', 3);
    expect(holding?.units).toBe(3);
    holding?.shrinkTo(1);
    holding?.shrinkTo(2);
    expect(units.counters().heldUnits).toBe(1);
    holding?.release();
    holding?.release();
    expect(units.counters()).toMatchObject({ heldUnits: 0, organizations: 0 });
  });

  it('must be a positive number', async () => {
    expect(() => share().tryTake('a', 0)).toThrow('The number of units must be more than 0, not 0.');
    await expect(share().take('a', Number.NaN)).rejects.toThrow(RangeError);
    expect(() => share().tryTake('a', 1)?.shrinkTo(-1)).toThrow(RangeError);
  });
});

describe('organizations that wait', () => {
  it('take turns, first come first served within each, however many requests one of them has sent', async () => {
    const units = share({ capacity: 1 });
    const granted: string[] = [];
    let holding = await units.take('z', 1);
    const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => note(units, granted, name));
    for (const next of [0, 3, 4, 1, 5, 2]) {
      holding.release();
      holding = (await all[next]) as typeof holding;
    }
    expect(granted).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('do not wait for one that has used its own share up', async () => {
    const units = share();
    const granted: string[] = [];
    const used = await units.take('a', 3);
    const waiting = note(units, granted, 'a1');
    void note(units, granted, 'b1');
    await settled();
    expect(granted).toEqual(['b1']);
    expect(units.counters()).toMatchObject({ waiting: 1, heldUnits: 4 });
    used.release();
    await waiting;
    expect(granted).toEqual(['b1', 'a1']);
  });

  it('may overtake a large request 32 times, which then receives every unit that becomes free', async () => {
    const units = share({ capacity: 4, maxPerOrganization: 4 });
    const granted: string[] = [];
    const held = [await units.take('b', 1), await units.take('c', 1)];
    const large = note(units, granted, 'a-large', 4);
    let passed = 0;
    for (let tried = 0; tried < 100; tried += 1) {
      const small = units.tryTake('d', 1);
      if (small !== undefined) passed += 1;
      small?.release();
    }
    expect(passed).toBe(32);
    void note(units, granted, 'e1');
    await settled();
    expect(granted).toEqual([]);
    for (const each of held) each.release();
    (await large).release();
    await settled();
    expect(granted).toEqual(['a-large', 'e1']);
  });

  it('are served again once a large request that units were reserved for was aborted', async () => {
    const units = share({ capacity: 2, maxPerOrganization: 2 });
    const granted: string[] = [];
    await units.take('b', 1);
    const leaving = new AbortController();
    const large = units.take('a', 2, leaving.signal);
    for (let tried = 0; tried < 40; tried += 1) units.tryTake('d', 1)?.release();
    void note(units, granted, 'e1');
    leaving.abort(new Error('the client is gone'));
    await expect(large).rejects.toThrow('the client is gone');
    await settled();
    expect(granted).toEqual(['e1']);
  });
});

describe('a request for units is refused', () => {
  it('at once when the queue of its organization is full, and when it can never fit', async () => {
    const units = share({ capacity: 1, maxPerOrganization: 1, maxWaitingPerOrganization: 1 });
    const holding = await units.take('a', 1);
    const waiting = units.take('a', 1);
    await expect(units.take('a', 1)).rejects.toMatchObject({ code: 'organization_full' });
    await expect(units.take('b', 2)).rejects.toMatchObject({ code: 'organization_full' });
    holding.release();
    (await waiting).release();
    expect(units.counters()).toMatchObject({ organizations: 0, refused: { organization_full: 2 } });
  });

  it('after the timeout, with the reason why it waited', async () => {
    const units = share({ capacity: 1, maxPerOrganization: 1, maxWaitMs: 5 });
    await units.take('a', 1);
    const [own, others] = await Promise.allSettled([units.take('a', 1), units.take('b', 1)]);
    expect(own).toMatchObject({ reason: { code: 'organization_full' } });
    expect(others).toMatchObject({ reason: { code: 'timeout' } });
    expect((others as PromiseRejectedResult).reason).toBeInstanceOf(FairShareError);
    expect(units.counters()).toMatchObject({ waiting: 0, organizations: 1 });
  });

  it('when its signal is aborted, with the reason of the signal, and it leaves the queue', async () => {
    const units = share({ capacity: 1 });
    await units.take('a', 1);
    const reason = new Error('the client is gone');
    const leaving = new AbortController();
    const waiting = units.take('b', 1, leaving.signal);
    leaving.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(units.take('b', 1, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(units.counters()).toMatchObject({ waiting: 0, organizations: 1, refused: { aborted: 2 } });
  });
});

it('never exceeds the capacity or the max of an organization, and loses no unit, in a random order of requests', async () => {
  const units = share({ capacity: 10, maxPerOrganization: 6, maxWaitMs: 60_000 });
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const held = new Map<string, number>();
  let granted = 0;
  const count = (organizationId: string, change: number) =>
    held.set(organizationId, (held.get(organizationId) ?? 0) + change);
  const one = async () => {
    const organizationId = `o${random(5)}`;
    const wanted = 1 + random(6);
    const holding = await units.take(organizationId, wanted);
    count(organizationId, wanted);
    granted += 1;
    expect(held.get(organizationId)).toBeLessThanOrEqual(6);
    expect([...held.values()].reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(10);
    for (let rounds = random(3); rounds > 0; rounds -= 1) await settled();
    count(organizationId, -wanted);
    holding.release();
  };
  await Promise.all(Array.from({ length: 400 }, one));
  expect(granted).toBe(400);
  expect(units.counters()).toMatchObject({ heldUnits: 0, waiting: 0, organizations: 0 });
});

describe('a reserve of units', () => {
  const reserved = () => share({ capacity: 12, maxPerOrganization: 9, reserve: 3, smallShare: 1 });

  it('stays available to organizations that hold few units, however many three others request', async () => {
    const units = reserved();
    const granted: string[] = [];
    for (const attacker of ['a', 'b', 'c']) while (units.tryHold(attacker, 1));
    const waiting = ['a', 'b', 'c'].map((name) => note(units, granted, name, 2));
    expect(units.counters().heldUnits).toBe(11);
    for (let turn = 0; turn < 100; turn += 1) {
      expect(units.tryHold('v', 1)).toBe(true);
      units.giveBack('v', 1);
    }
    const holding = await units.take('v', 1);
    expect(granted).toEqual([]);
    holding.release();
    units.giveBack('a', 9);
    await Promise.all(waiting);
    expect(granted.sort()).toEqual(['a', 'b', 'c']);
  });

  it('lets a single organization use its whole share', () => {
    const units = reserved();
    expect(units.tryHold('a', 9)).toBe(true);
  });

  it('leads to the immediate refusal of a request that can never fit beside it', async () => {
    const units = share({ capacity: 12, maxPerOrganization: 12, reserve: 3, smallShare: 1 });
    await expect(units.take('a', 10)).rejects.toMatchObject({ code: 'organization_full' });
  });
});
