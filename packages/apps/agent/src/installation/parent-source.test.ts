import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { answerAgent, createParentSource } from './parent-source.ts';

const PAGE = 'tidewatch_writer_lag_seconds 0.5\n';

/** Both ends of a channel in one process; `parent` answers what it is sent, or nothing. */
function channelTo(parent: (message: object) => Promise<object | undefined>) {
  const channel = new EventEmitter();
  const send = (message: object) =>
    void parent(message).then((answer) => answer && channel.emit('message', answer));
  return Object.assign(channel, { send });
}

test('what the parent shows is read, and nobody goes on listening', async () => {
  const channel = channelTo((message) => answerAgent(message, async () => PAGE));
  const source = createParentSource(channel, 60_000);
  const expected = [{ name: 'tidewatch_writer_lag_seconds', labels: '', value: 0.5 }];
  expect(await source.read()).toEqual(expected);
  expect(await source.read()).toEqual(expected);
  expect(channel.listenerCount('message')).toBe(0);
});

test.each<[string, (message: object) => Promise<object | undefined>, string]>([
  ['a parent that is silent', async () => undefined, 'in time'],
  ['the answer to an earlier question', async () => ({ kind: 'metrics', id: 0, text: PAGE }), 'in time'],
  ['something else', async () => ({ kind: 'metrics', id: 1, text: 7 }), 'in time'],
  [
    'metrics of another program',
    async () => ({ kind: 'metrics', id: 1, text: 'up 1' }),
    'no metrics of Tidewatch',
  ],
])('%s is none of it', async (_name, parent, reason) => {
  const channel = channelTo(parent);
  await expect(createParentSource(channel, 20).read()).rejects.toThrow(reason);
  expect(channel.listenerCount('message')).toBe(0);
});

test('without a channel there is nothing to read', async () => {
  await expect(createParentSource(new EventEmitter(), 60_000).read()).rejects.toThrow('no channel');
});

test.each([undefined, 'metrics wanted', { kind: 'metrics wanted' }, { kind: 'other', id: 1 }])(
  'the parent does not answer %j',
  async (message) => {
    expect(await answerAgent(message, async () => PAGE)).toBeUndefined();
  },
);
