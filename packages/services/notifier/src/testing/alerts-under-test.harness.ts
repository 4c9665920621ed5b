import type { Alert } from '@tidewatch/contracts/alerts/alert';
import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import type { NotifierBed } from './notifier.harness.ts';

/** Alerts in the store of a bed, and what judging makes of them. */
export class AlertsUnderTest {
  readonly #bed: NotifierBed;

  constructor(bed: NotifierBed) {
    this.#bed = bed;
  }

  /** A rule with one channel, and an alert of it. */
  async make(fields: Partial<Alert> = {}, terms: Partial<RuleDefinition> = {}) {
    const channel = this.#bed.channel();
    const rule = await this.#bed.rule({ channels: [channel.id], ...terms });
    return { channel, rule, alert: await this.#bed.alert(rule, fields, true) };
  }

  async update(alert: Alert, fields: Record<string, unknown>): Promise<Alert> {
    const { sql } = this.#bed.store;
    await sql`update alerts set ${sql(fields as never)} where id = ${alert.id}`;
    return { ...alert, ...(fields as Partial<Alert>) };
  }

  /** A fresh sample breaches. */
  async confirm(alert: Alert): Promise<void> {
    await this.update(alert, { confirmed_at: new Date(this.#bed.now) });
  }

  /** In its row and in its event. */
  async escalate(alert: Alert): Promise<Alert> {
    const worse = await this.update(alert, { severity: 'critical' });
    await this.#bed.tell('escalated', worse);
    return worse;
  }

  /** In its row and in its event. */
  async resolve(alert: Alert): Promise<void> {
    await this.update(alert, { status: 'resolved', state: 'resolved' });
    await this.#bed.tell('resolved', alert);
  }
}
