import { setTimeout as sleep } from 'node:timers/promises';
import type { Verdict } from '@tidewatch/bus/bus';
import type { Alert } from '@tidewatch/contracts/alerts/alert';
import type { Transition } from '@tidewatch/contracts/channels/notice-events';
import type { NotificationTransition, Unconfigured } from '@tidewatch/contracts/notifications/notification';
import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { definitionOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import type { SilenceDefinition, SilenceMatchers } from '@tidewatch/contracts/silences/silence';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import { newId } from '@tidewatch/contracts/values/id';
import type { Destination, Notice, Outcome } from '@tidewatch/destinations/notice';
import type { KnownChannel } from '@tidewatch/domain/notification/choose-channels';
import { openTestStore, type TestStore } from '@tidewatch/harness/store';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics, type Metrics } from '@tidewatch/runtime/telemetry/metrics';
import { deleteSilence, insertSilence } from '@tidewatch/store/silences/write';
import { expect } from 'vitest';
import { createNotifier, type Notifier, type NotifierOptions } from '../notifier.ts';
import { alertOf, type RuleUnderTest, resolved } from './alerts.fixture.ts';

export const ORGANIZATION = 'org_00000000000070008000000000000001';

const ACTOR = { key_id: newId('key'), name: 'harness' };

export interface Sent {
  /** The id of the channel. */
  to: string;
  transition: NotificationTransition;
  eventId: string;
  hosts: string[];
  reference: string | null;
  at: number;
}

type Answer = (sent: Sent) => Outcome | Promise<Outcome>;

export const delivered = (reference: string | null = null): Outcome => ({ status: 'delivered', reference });
const failed = (retryable: boolean, error: string, retryAfterMs: number | null): Outcome => ({
  status: 'failed',
  retryable,
  retryAfterMs,
  error,
});
export const refused = (error = 'it answered 500', retryAfterMs: number | null = null) =>
  failed(true, error, retryAfterMs);
export const rejected = failed(false, 'it answered 404', null);

/** A database with rules, channels and alerts, and notifiers whose messages are recorded instead of sent. */
export class NotifierHarness {
  readonly store: TestStore;
  readonly metrics: Metrics = createMetrics();
  readonly sent: Sent[] = [];
  readonly channels: KnownChannel[] = [];
  /** The outcome of sending to a channel; delivered by default. */
  readonly answers = new Map<string, Answer>();
  /** Channels that become unusable before a message is sent, with the reason. */
  readonly gone = new Map<string, Unconfigured>();
  /** The server's clock, ms; tests move it by assignment. */
  now = Math.floor(Date.now() / 1_000) * 1_000;
  notifier: Notifier;
  #relayed = '0';

  static async open(): Promise<NotifierHarness> {
    return new NotifierHarness(await openTestStore({ as: 'product', organizations: [ORGANIZATION], max: 8 }));
  }

  private constructor(store: TestStore) {
    this.store = store;
    this.notifier = this.another();
  }

  /** Another notifier on the same store, as in another process. */
  another(more: Partial<NotifierOptions> = {}): Notifier {
    return createNotifier({
      sql: this.store.sql,
      clock: () => this.now,
      random: () => 0.5,
      newId,
      metrics: this.metrics,
      logger: createSilentLogger(),
      pollEveryMs: 10,
      upkeepEveryMs: 20,
      publicUrl: 'https://tidewatch.example',
      heartbeat: { url: undefined, everyMs: 60_000, probeEveryMs: 5_000 },
      readChannels: async () => new Map([[ORGANIZATION, this.channels]]),
      readDestination: async (_organization, id) => this.#destination(id),
      sender: { send: (to, notice, reference) => this.#send(to, notice, reference) },
      ...more,
    });
  }

  async close(): Promise<void> {
    await this.notifier.stop();
    this.metrics.close();
    await this.store.close();
  }

  channel(fields: Partial<KnownChannel> = {}): KnownChannel {
    const id = newId('chn');
    const channel: KnownChannel = {
      id,
      kind: 'webhook',
      name: `channel ${id.slice(-4)}`,
      isDefault: false,
      state: 'enabled',
      events: null,
      changedAt: 0,
      ...fields,
    };
    this.channels.push(channel);
    return channel;
  }

  async rule(fields: Partial<RuleDefinition> = {}): Promise<RuleUnderTest> {
    const id = newId('rul');
    const definition = definitionOf({ name: `rule ${id.slice(-4)}`, metric: 'cpu_percent', ...fields });
    await this.store.sql`
      insert into alert_rules (organization_id, id, name, enabled, metric, severity, definition)
      values (${ORGANIZATION}, ${id}, ${definition.name}, true, ${definition.metric}, ${definition.severity},
        ${this.store.sql.json(definition as never)})`;
    return { id, name: definition.name };
  }

  /** An alert of a rule; with `stored`, also a row in the table. */
  async alert(rule: RuleUnderTest, fields: Partial<Alert> = {}, stored = false): Promise<Alert> {
    const alert = alertOf(rule, this.now, fields);
    if (stored)
      await this.store.sql`
        insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
          status, state, severity, metric, condition, threshold, summary, fired_at, context, silenced_by, backfilled,
          shadow)
        values (${ORGANIZATION}, ${alert.id}, ${rule.id}, ${rule.name}, 1, ${alert.service_id}, ${alert.host},
          ${alert.subject.kind}, ${alert.subject.name}, ${alert.status}, ${alert.state}, ${alert.severity}, ${alert.metric},
          ${alert.condition}, ${alert.threshold}, ${alert.summary}, ${alert.fired_at},
          ${this.store.sql.json(alert.context as never)}, ${alert.silenced_by}, ${alert.backfilled}, ${alert.shadow})`;
    return alert;
  }

  event(transition: Exclude<Transition, 'digest'>, alert: Alert): object {
    return this.envelope(`alert.${transition}`, alert.id, {
      alert: transition === 'resolved' ? resolved(alert, this.now) : alert,
      rule: { id: alert.rule_id, name: alert.rule_name, runbook_url: null },
      links: { alert: null, service: null, investigation: null, runbook: null },
    });
  }

  /** An event as the outbox holds it. */
  envelope(type: string, subject: string, data: object) {
    return {
      specversion: '1.0',
      id: newId('evt'),
      source: `/tidewatch/${ORGANIZATION}`,
      type,
      subject,
      time: toIso(this.now),
      datacontenttype: 'application/json',
      data,
    };
  }

  /** Passes events to a notifier in one transaction, as the bus does. Returns its verdicts. */
  async publish(events: readonly unknown[], notifier: Notifier = this.notifier): Promise<readonly Verdict[]> {
    const deliveries = events.map((value, i) => ({
      topic: 'tidewatch.events',
      partition: 0,
      offset: BigInt(i),
      key: '',
      value,
      publishedAt: this.now,
    }));
    const verdicts = await this.store.transact((tx) => notifier.consumer.handle(deliveries, tx));
    notifier.consumer.committed?.();
    return verdicts;
  }

  async emit(transition: Exclude<Transition, 'digest'>, ...alerts: Alert[]): Promise<void> {
    await this.publish(alerts.map((alert) => this.event(transition, alert)));
  }

  /** Publishes an event of the query API about a rule or a channel, such as `rule.updated`. */
  async announce(type: string, subject: { id: string; kind?: string }): Promise<void> {
    const [noun = ''] = type.split('.');
    await this.publish([this.envelope(type, subject.id, { [noun]: subject })]);
  }

  /** Publishes the new events of the outbox, as the relay does. Returns their types. */
  async relay(notifier: Notifier = this.notifier): Promise<string[]> {
    const rows = await this.store.sql<{ id: string; event: { type: string } }[]>`
      select id::text, event from outbox where id > ${this.#relayed} order by id`;
    this.#relayed = rows.at(-1)?.id ?? this.#relayed;
    const events = rows.map(({ event }) => event);
    if (events.length > 0) await this.publish(events, notifier);
    return events.map(({ type }) => type);
  }

  /** Waits until this many messages were sent, while relaying the outbox, and checks that no more follow. */
  async sentSoon(count: number): Promise<Sent[]> {
    await expect
      .poll(
        async () => {
          await this.relay();
          return this.sent.length;
        },
        { timeout: 5_000, interval: 20 },
      )
      .toBeGreaterThanOrEqual(count);
    await this.quiet();
    expect(this.sent).toHaveLength(count);
    // Checks that no further event is emitted for alerts that were followed up.
    const before = await this.#events();
    await this.quiet();
    expect(await this.#events()).toBe(before);
    return this.sent;
  }

  async #events(): Promise<number> {
    const [row] = await this.store.sql<{ count: number }[]>`select count(*)::int as count from outbox`;
    return row?.count ?? 0;
  }

  transitions(): string[] {
    return this.sent.map(({ transition }) => transition);
  }

  /** Waits for several rounds of upkeep to end. */
  async quiet(): Promise<void> {
    for (let round = 0; round < 8; round += 1) {
      await sleep(25);
      await this.relay();
    }
  }

  /** Creates a silence; `from` and `until` are minutes from now, by default a minute ago and in an hour. */
  async silence(
    matchers: Partial<SilenceMatchers>,
    { from = -1, until = 60, ...more } = {},
  ): Promise<string> {
    const id = newId('sil');
    const times = { from: this.now + from * MINUTE_MS, until: this.now + until * MINUTE_MS };
    const definition: SilenceDefinition = {
      matchers: { hosts: [], tags: {}, rule_ids: [], severities: [], subjects: [], ...matchers },
      ...times,
      recurrence: null,
      timezone: 'UTC',
      comment: '',
      ...more,
    };
    const endsAt = definition.recurrence === null ? times.until : Number.POSITIVE_INFINITY;
    await this.store.transact((tx) => insertSilence(tx, this.#silenceWrite(id), definition, endsAt, ACTOR));
    return id;
  }

  async endSilence(id: string): Promise<void> {
    await this.store.transact((tx) => deleteSilence(tx, this.#silenceWrite(id)));
  }

  /** The transition and outcome of each notice of an alert. */
  async outcomes(alert?: Alert): Promise<string[]> {
    const rows = await this.store.sql<{ transition: string; status: string; reason: string | null }[]>`
      select n.transition, n.status, n.reason from notifications n
      where ${alert?.id ?? null}::text is null or n.id in (
        select notification_id from notification_alerts where alert_id = ${alert?.id ?? null})
      order by n.created_at, n.id`;
    return rows.map(({ transition, status, reason }) => `${transition} ${reason ?? status}`);
  }

  #silenceWrite(id: string) {
    return { organizationId: ORGANIZATION, id, eventId: newId('evt'), now: this.now, audit: null };
  }

  /** Every notification, in the order of its decision. */
  async notifications() {
    return this.store.sql<
      {
        id: string;
        transition: string;
        status: string;
        reason: string | null;
        attempts: number;
        channel: string;
      }[]
    >`select id, transition, status, reason, attempts, channel from notifications order by created_at, id`;
  }

  #destination(id: string): Destination | Unconfigured {
    const gone = this.gone.get(id);
    if (gone !== undefined) return gone;
    const name = this.channels.find((channel) => channel.id === id)?.name ?? '';
    return { id, name, kind: 'email', config: { to: [] } };
  }

  async #send(to: Destination, { transition, event, alerts }: Notice, reference: string | null) {
    const hosts = alerts.map(({ host }) => host);
    const sent = { to: to.id, transition, eventId: event.id, hosts, reference, at: this.now };
    this.sent.push(sent);
    return (await this.answers.get(to.id)?.(sent)) ?? delivered();
  }
}
