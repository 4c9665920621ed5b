import { anAlert } from '@tidewatch/domain/notification/notice.fixture';
import { expect, it } from 'vitest';
import { startHttpReceiver, status } from './testing/http-receiver.ts';
import { destination, noticeOf, openSender } from './testing/sender.harness.ts';

const hook = (url: string) =>
  destination('webhook', { url, secret: 'whsec_c2VjcmV0', headers: {}, events: ['alert.fired'] });
const slack = destination('slack', { webhook_url: 'https://example.com/' });

it('a notice that cannot become a message is reported to the log and not retried', async () => {
  const faults: unknown[] = [];
  const sender = openSender({ onFault: (error) => faults.push(error) });
  const outcome = await sender.send(slack, { ...noticeOf(anAlert()), alerts: [] }, null);
  expect(outcome).toMatchObject({ status: 'failed', retryable: false });
  expect(faults).toEqual([expect.any(RangeError)]);
});

it('closing the sender waits for attempts under way', async () => {
  const receiver = await startHttpReceiver((response, received) => {
    setTimeout(() => status(204)(response, received), 50);
  });
  const sender = openSender();
  let delivered = false;
  const sending = sender.send(hook(receiver.url()), noticeOf(anAlert()), null).then(() => {
    delivered = true;
  });
  await sender.close();
  await sending;
  expect(delivered).toBe(true);
  expect(receiver.got).toHaveLength(1);
  await receiver.close();
});

it('createSender refuses a network that is not in CIDR notation', () => {
  expect(() => openSender({ allowPrivate: ['everywhere'] })).toThrow(RangeError);
});

it('only webhooks deliver events that are not about alerts', async () => {
  const receiver = await startHttpReceiver(status(204));
  const sender = openSender();
  const notice = { ...noticeOf(anAlert()), transition: 'event' as const, alerts: [] };
  expect(await sender.send(slack, notice, null)).toMatchObject({ status: 'failed', retryable: false });
  expect(await sender.send(hook(receiver.url('/')), notice, null)).toMatchObject({ status: 'delivered' });
  expect(receiver.got).toHaveLength(1);
  await receiver.close();
});
