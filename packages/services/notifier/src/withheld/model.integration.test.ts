import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { SEVERITIES, type Severity } from '@tidewatch/contracts/values/severity';
import { openForFile } from '@tidewatch/harness/opened';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { NotifierHarness } from '../testing/notifier.harness.ts';
import { AlertsUnderTest } from './alerts.harness.ts';

const harness = await openForFile(NotifierHarness.open());
const alerts = new AlertsUnderTest(harness);
beforeAll(async () => {
  harness.notifier.start();
});

const OFFLINE = 'host.silent_minutes';
const STEPS = [
  ...['confirm', 'escalate', 'ease', 'silence', 'silence_warnings', 'unsilence', 'add_channel'],
  ...['offline', 'back', 'flap', 'calm', 'remind'],
] as const;
type Step = (typeof STEPS)[number];

/**
 * A story of one alert on two channels, and of its host, whose offline alert goes to one of the channels; `take` applies a
 * step.
 */
class Story {
  readonly #channels = [harness.channel(), harness.channel(), harness.channel()].map(({ id }) => id);
  readonly #service = newId('svc');
  readonly #host = `host-${this.#service.slice(-8)}`;
  #alert!: Alert;
  #rule!: { id: string; name: string };
  #offlineRule!: { id: string; name: string };
  #offline: Alert | null = null;
  #silences: string[] = [];

  async begin(backfilled: boolean, severity: Severity): Promise<void> {
    const [a, b] = this.#channels as [string, string];
    this.#rule = await harness.rule({ channels: [a, b], renotify_minutes: 5 });
    this.#offlineRule = await harness.rule({ metric: OFFLINE, channels: [a] });
    const fields = { service_id: this.#service, host: this.#host, backfilled, severity };
    this.#alert = await harness.alert(this.#rule, fields, true);
    await harness.emit('fired', this.#alert);
  }

  async take(step: Step): Promise<void> {
    const { sql } = harness.store;
    if (step === 'confirm') await alerts.confirm(this.#alert);
    else if (step === 'escalate' && this.#alert.severity !== 'critical')
      this.#alert = await alerts.escalate(this.#alert);
    else if (step === 'ease') this.#alert = await alerts.update(this.#alert, { severity: 'warning' });
    else if (step === 'silence') this.#silences.push(await harness.silence({ hosts: [this.#host] }));
    else if (step === 'silence_warnings')
      this.#silences.push(await harness.silence({ hosts: [this.#host], severities: ['warning'] }));
    else if (step === 'unsilence') await this.#unsilence();
    else if (step === 'offline' && this.#offline === null) {
      const fields = { service_id: this.#service, host: this.#host, metric: OFFLINE };
      this.#offline = await harness.alert(this.#offlineRule, fields, true);
      await harness.emit('fired', this.#offline);
    } else if (step === 'back' && this.#offline !== null) {
      await alerts.resolve(this.#offline);
      this.#offline = null;
    } else if (step === 'flap') await harness.emit('flapping', this.#alert);
    else if (step === 'calm') harness.now += 61 * MINUTE_MS;
    else if (step === 'remind') harness.now += 6 * MINUTE_MS;
    else if (step === 'add_channel') {
      await sql`
        update alert_rules set definition = definition || ${sql.json({ channels: this.#channels })}
        where id = ${this.#rule.id}`;
      const data = { rule: { id: this.#rule.id } };
      const source = '/tidewatch/org_00000000000070008000000000000001';
      await harness.publish([
        { id: newId('evt'), source, type: 'rule.updated', time: new Date(harness.now).toISOString(), data },
      ]);
    }
  }

  /** Ends all reasons to withhold notices. */
  async calm(): Promise<void> {
    await this.#unsilence();
    await this.take('confirm');
    await this.take('back');
    await this.take('calm');
  }

  async end(): Promise<void> {
    await alerts.resolve(this.#alert);
  }

  get severity(): Severity {
    return this.#alert.severity;
  }

  /** The worst severity and the last transition that were delivered, by channel. */
  async delivered(): Promise<{ channel: string; worst: Severity; last: string; fired: number }[]> {
    const rows = await harness.store.sql<{ channel: string; severity: Severity; transition: string }[]>`
      select n.channel, m.severity, n.transition from notification_alerts m
      join notifications n on n.organization_id = m.organization_id and n.id = m.notification_id
      where m.alert_id = ${this.#alert.id} and n.status = 'delivered' order by n.created_at, n.id`;
    return [...Map.groupBy(rows, ({ channel }) => channel)].map(([channel, of]) => ({
      channel,
      worst: SEVERITIES.find((each) => of.some(({ severity }) => severity === each)) ?? 'info',
      last: of.at(-1)?.transition ?? '',
      fired: of.filter(({ transition }) => transition === 'fired').length,
    }));
  }

  async queued(): Promise<number> {
    const rows = await harness.store.sql`
      select from notification_alerts m join notifications n on n.organization_id = m.organization_id and n.id = m.notification_id
      where m.alert_id = ${this.#alert.id} and n.status = 'queued'`;
    return rows.length;
  }

  async #unsilence(): Promise<void> {
    for (const id of this.#silences) await harness.endSilence(id);
    this.#silences = [];
  }
}

test('in every order of reasons to withhold, each channel is notified of an active alert once, and of its resolution', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.constantFrom<Severity>('warning', 'critical'),
      fc.array(fc.constantFrom(...STEPS), { maxLength: 7 }),
      async (backfilled, severity, steps) => {
        const story = new Story();
        await story.begin(backfilled, severity);
        for (const step of steps) {
          await story.take(step);
          await harness.relay();
        }
        await story.calm();
        const added = steps.includes('add_channel') ? 3 : 2;
        const learned = async () => {
          await harness.relay();
          const found = await story.delivered();
          const worst = found.filter(
            (each) => SEVERITIES.indexOf(each.worst) <= SEVERITIES.indexOf(story.severity),
          );
          return worst.length;
        };
        await expect.poll(learned, { interval: 20 }).toBe(added);
        await harness.quiet();
        for (const { fired } of await story.delivered()) expect(fired).toBeLessThanOrEqual(1);
        await story.end();
        await expect
          .poll(async () => {
            await harness.relay();
            return (await story.delivered()).map(({ last }) => last);
          })
          .toEqual(Array(added).fill('resolved'));
        expect(await story.queued()).toBe(0);
      },
    ),
    { numRuns: 25, seed: 36 },
  );
});
