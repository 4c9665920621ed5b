import { describe, expect, it } from 'vitest';
import { type Publication, PublicationQueue } from './publication-queue.ts';

function publication(name: string, weight = 1): Publication {
  const [key = ''] = name.split(':');
  const delivery = { topic: 't', partition: 0, offset: 0n, key, value: name, publishedAt: 0 };
  const ignored = () => undefined;
  return { deliveries: [delivery], key, weight, identified: false, resolve: ignored, reject: ignored };
}

function queueOf(names: string[], limits: { groupWeight?: number } = {}): PublicationQueue {
  const queue = new PublicationQueue({
    queuedPublications: 8,
    queuedWeight: 1_000,
    groupWeight: 100,
    ...limits,
  });
  for (const name of names) queue.push(publication(name));
  return queue;
}

const namesOf = (group: readonly Publication[]) => group.map(({ deliveries }) => deliveries[0]?.value);

describe('PublicationQueue', () => {
  it('returns all waiting publications as one group, in order of arrival', () => {
    const queue = queueOf(['a:1', 'b:1', 'a:2']);
    expect(namesOf(queue.take())).toEqual(['a:1', 'b:1', 'a:2']);
    queue.taken([]);
    expect([queue.size, queue.weight]).toEqual([0, 0]);
  });

  it('lets keys take turns when more waits than fits into a group', () => {
    const queue = queueOf(['a:1', 'a:2', 'a:3', 'b:1'], { groupWeight: 2 });
    expect(namesOf(queue.take())).toEqual(['a:1', 'b:1']);
    queue.taken([]);
    expect(namesOf(queue.take())).toEqual(['a:2', 'a:3']);
  });

  it('returns rests of a key as every second group, apart from other keys', () => {
    const queue = queueOf(['a:1', 'b:1']);
    const [left] = queue.take();
    queue.push(publication('a:2'));
    queue.push(publication('b:2'));
    queue.taken([left as Publication]);
    queue.push(publication('a:3'));
    expect(namesOf(queue.take())).toEqual(['a:1', 'a:2', 'a:3']);
    queue.push(publication('a:4'));
    queue.taken([left as Publication]);
    queue.push(publication('b:3'));
    expect(namesOf(queue.take())).toEqual(['b:2', 'b:3']);
    queue.taken([]);
    expect(namesOf(queue.take())).toEqual(['a:1', 'a:4']);
    queue.taken([]);
    queue.push(publication('b:4'));
    queue.push(publication('a:5'));
    expect(namesOf(queue.take())).toEqual(['b:4', 'a:5']);
  });

  it('lets expensive keys take turns', () => {
    const queue = queueOf(['a:1', 'b:1', 'c:1']);
    const group = queue.take();
    queue.taken(group);
    const order: unknown[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const next = queue.take();
      order.push(...namesOf(next));
      queue.taken(turn < 3 ? next : []);
    }
    expect(order).toEqual(['a:1', 'b:1', 'c:1', 'a:1', 'b:1', 'c:1']);
    expect(queue.size).toBe(0);
  });

  it('lets one key fill at most three quarters of the queue, so that others still have room', () => {
    const queue = queueOf(['a:1', 'a:2', 'a:3', 'a:4', 'a:5', 'a:6']);
    expect(queue.fullness({ key: 'a', weight: 1 })).toMatch('the same organization');
    expect(queue.fullness({ key: 'b', weight: 1 })).toBeNull();
    expect(queue.fullness({ key: 'b', weight: 1_000 })).toBe('too much is waiting to be stored');
  });
});
