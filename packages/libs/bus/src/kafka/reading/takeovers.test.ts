import { describe, expect, it } from 'vitest';
import { Takeovers } from './takeovers.ts';

describe('takeovers of assignments', () => {
  it('begins the takeover of a later assignment only once the earlier one has ended', async () => {
    const steps: string[] = [];
    const { promise: claimed, resolve: endClaim } = Promise.withResolvers<void>();
    const takeovers = new Takeovers(async (partitions, isNewest) => {
      steps.push(`begin ${partitions}`);
      if (partitions[0] === 0) await claimed;
      steps.push(`end ${partitions}: ${isNewest() ? 'newest' : 'outdated'}`);
    });
    takeovers.assigned([0, 1]);
    takeovers.assigned([2]);
    await Promise.resolve();
    await Promise.resolve();
    expect(steps).toEqual(['begin 0,1']);
    endClaim();
    await takeovers.running;
    expect(steps).toEqual(['begin 0,1', 'end 0,1: outdated', 'begin 2', 'end 2: newest']);
  });

  it('begins the takeover of a later assignment although the earlier one has failed', async () => {
    const taken: number[] = [];
    const takeovers = new Takeovers(async ([partition = -1]) => {
      if (partition === 0) throw new Error('the store is away');
      taken.push(partition);
    });
    takeovers.assigned([0]);
    takeovers.assigned([1]);
    await takeovers.running;
    expect(taken).toEqual([1]);
  });

  it('claims the partitions again at the second heartbeat after a lost one, and once only', async () => {
    const taken: string[] = [];
    const takeovers = new Takeovers(async (partitions) => {
      taken.push(partitions.join());
    });
    takeovers.assigned([3, 4]);
    expect(takeovers.heartbeat()).toBe(false);
    takeovers.lost();
    takeovers.lost();
    expect([takeovers.heartbeat(), takeovers.heartbeat(), takeovers.heartbeat()]).toEqual([
      false,
      true,
      false,
    ]);
    await takeovers.running;
    expect(taken).toEqual(['3,4', '3,4']);
  });

  it('leaves the claim to a new assignment that comes before the heartbeats', async () => {
    const taken: string[] = [];
    const takeovers = new Takeovers(async (partitions) => {
      taken.push(partitions.join());
    });
    takeovers.assigned([3, 4]);
    takeovers.lost();
    takeovers.assigned([4]);
    expect([takeovers.heartbeat(), takeovers.heartbeat()]).toEqual([false, false]);
    await takeovers.running;
    expect(taken).toEqual(['3,4', '4']);
  });
});
