import type { Alert } from '@tidewatch/contracts/alerts/alert';
import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { openForTest } from '@tidewatch/harness/opened';
import type { RuleUnderTest } from '../testing/alerts.fixture.ts';
import { NotifierHarness } from '../testing/notifier.harness.ts';

/** Opens a notifier that runs for one test, with no alerts. To be called in `beforeEach`. */
export async function openAlerts() {
  const harness = await openForTest(NotifierHarness.open());
  harness.notifier.start();
  return { harness, alerts: new AlertsUnderTest(harness) };
}

/** Stored alerts of a harness, and changes as the evaluator makes them. */
export class AlertsUnderTest {
  readonly #harness: NotifierHarness;

  constructor(harness: NotifierHarness) {
    this.#harness = harness;
  }

  /** A rule with one channel, and an alert of it. */
  async make(fields: Partial<Alert> = {}, terms: Partial<RuleDefinition> = {}) {
    const channel = this.#harness.channel();
    const rule = await this.#harness.rule({ channels: [channel.id], ...terms });
    return { channel, rule, alert: await this.#harness.alert(rule, fields, true) };
  }

  /** The same, with the event that the alert fired. */
  async fire(fields: Partial<Alert> = {}, terms: Partial<RuleDefinition> = {}) {
    const made = await this.make(fields, terms);
    await this.#harness.emit('fired', made.alert);
    return made;
  }

  /** Another alert of a rule, with the event that it fired. */
  async fireOf(rule: RuleUnderTest, fields: Partial<Alert> = {}): Promise<Alert> {
    const alert = await this.#harness.alert(rule, fields, true);
    await this.#harness.emit('fired', alert);
    return alert;
  }

  /** Names these channels in every rule, with the event that one of the rules changed. */
  async setChannels(rule: RuleUnderTest, channels: readonly string[]): Promise<void> {
    const { sql } = this.#harness.store;
    await sql`update alert_rules set definition = definition || ${sql.json({ channels })}`;
    await this.#harness.announce('rule.updated', { id: rule.id });
  }

  async update(alert: Alert, fields: Record<string, unknown>): Promise<Alert> {
    const { sql } = this.#harness.store;
    await sql`update alerts set ${sql(fields as never)} where id = ${alert.id}`;
    return { ...alert, ...(fields as Partial<Alert>) };
  }

  /** Confirms the alert, as a fresh sample that breaches does. */
  async confirm(alert: Alert): Promise<void> {
    await this.update(alert, { confirmed_at: new Date(this.#harness.now) });
  }

  /** Raises the severity to critical in the row of the alert and in its event. */
  async escalate(alert: Alert): Promise<Alert> {
    const worse = await this.update(alert, { severity: 'critical' });
    await this.#harness.emit('escalated', worse);
    return worse;
  }

  /** Resolves the alert in its row and in its event. */
  async resolve(alert: Alert): Promise<void> {
    await this.update(alert, { status: 'resolved', state: 'resolved' });
    await this.#harness.emit('resolved', alert);
  }
}
