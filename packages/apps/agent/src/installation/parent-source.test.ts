import { EventEmitter } from 'node:events';
import { answerAgent } from '@tidewatch/contracts/agent/parent-channel';
import { expect, test } from 'vitest';
import { createParentSource } from './parent-source.ts';

const PAGE = 'tidewatch_writer_lag_seconds 0.5\n';

/** Both ends of an IPC channel within one process; `parent` returns the answer to a message, or undefined. */
function channelTo(parent: (message: object) => Promise<object | undefined>) {
  const channel = new EventEmitter();
  const send = (message: object) =>
    void parent(message).then((answer) => answer && channel.emit('message', answer));
  return Object.assign(channel, { send });
}

test('reads the metrics of the parent process and removes its listener afterwards', async () => {
  const channel = channelTo((message) => answerAgent(message, async () => PAGE));
  const source = createParentSource(channel, 60_000);
  const expected = [{ name: 'tidewatch_writer_lag_seconds', labels: '', value: 0.5 }];
  expect(await source.read()).toEqual(expected);
  expect(await source.read()).toEqual(expected);
  expect(channel.listenerCount('message')).toBe(0);
});

test.each<[string, (message: object) => Promise<object | undefined>, string]>([
  ['the parent process is silent', async () => undefined, 'within 20 ms'],
  [
    'only the answer to an earlier request arrives',
    async () => ({ kind: 'metrics', id: 0, text: PAGE }),
    'within 20 ms',
  ],
  ['the answer has another form', async () => ({ kind: 'metrics', id: 1, text: 7 }), 'within 20 ms'],
  [
    'the answer contains metrics of another program',
    async () => ({ kind: 'metrics', id: 1, text: 'up 1' }),
    'no metrics of Tidewatch',
  ],
])('rejects when %s', async (_name, parent, reason) => {
  const channel = channelTo(parent);
  await expect(createParentSource(channel, 20).read()).rejects.toThrow(reason);
  expect(channel.listenerCount('message')).toBe(0);
});

test('rejects when the agent has no IPC channel to a parent process', async () => {
  await expect(createParentSource(new EventEmitter(), 60_000).read()).rejects.toThrow('no IPC channel');
});

test.each([undefined, 'metrics wanted', { kind: 'metrics wanted' }, { kind: 'other', id: 1 }])(
  'the parent process ignores the message %j',
  async (message) => {
    expect(await answerAgent(message, async () => PAGE)).toBeUndefined();
  },
);
