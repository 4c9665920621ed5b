import { createHmac } from 'node:crypto';
import { startHttpReceiver, status } from '@tidewatch/destinations/testing/http-receiver';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { createWebhook } from './client.ts';
import { openScenario } from './scenario.ts';

const { target, client } = await openScenario();
const receiver = await openForFile(startHttpReceiver(status(204)));

describe('a channel', () => {
  let channel: { id: string; config: { secret: string } };

  beforeAll(async () => {
    channel = await createWebhook(client, receiver.url('/hooks/verysecretpart'));
  });

  /** Sends a test notification to the channel and verifies its signature with the secret that was shown at creation. */
  async function testArrives() {
    const before = receiver.got.length;
    const answer = await client.expect(200, 'POST', `/channels/${channel.id}/test`);
    expect(answer).toMatchObject({ status: 'delivered', error: null });
    expect(receiver.got).toHaveLength(before + 1);
    const { headers, body } = receiver.got[before]!;
    const key = Buffer.from(channel.config.secret.slice('whsec_'.length), 'base64');
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    );
    expect(JSON.parse(body)).toMatchObject({ id: headers['webhook-id'], type: 'alert.fired' });
  }

  it('can be tested, and never shows its secrets again', async () => {
    await testArrives();
    const { body } = await client.ask('GET', `/channels/${channel.id}`);
    expect(body.last_delivery).toMatchObject({ status: 'delivered' });
    expect(JSON.stringify(body)).not.toContain('verysecretpart');
    expect(JSON.stringify(body)).not.toContain(channel.config.secret);
  });

  it('delivers notifications as before after every process was restarted', async (context) => {
    if (target.restart === undefined) return context.skip('the target is somebody else’s to restart');
    await target.restart();
    await testArrives();
  });
});
