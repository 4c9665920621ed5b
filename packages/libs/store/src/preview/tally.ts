import type { Subject } from '@tidewatch/contracts/values/subject';
import type { TrialAlert, TrialSink } from '@tidewatch/domain/preview/trial';

/** An alert that the rule would have opened, with its host and subject. */
export interface FoundAlert extends TrialAlert {
  serviceId: string;
  host: string;
  subject: Subject;
}

/** Collects the results of a preview: the newest alerts of the rule, and how often each candidate fired. */
export class Tally {
  readonly #maxAlerts: number;
  readonly #services = new Set<string>();
  #alerts: FoundAlert[] = [];
  /** The number of evaluated values. */
  values = 0;
  /** How often the rule at each index fired. */
  readonly fired: number[];

  constructor(rules: number, maxAlerts: number) {
    this.fired = Array.from({ length: rules }, () => 0);
    this.#maxAlerts = maxAlerts;
  }

  get services(): number {
    return this.#services.size;
  }

  get alerts(): readonly FoundAlert[] {
    this.#cut();
    return this.#alerts;
  }

  /** Counts a service with values to evaluate. */
  countService(serviceId: string): void {
    this.#services.add(serviceId);
  }

  /** Counts evaluated values of a service. */
  took(serviceId: string, values: number): void {
    if (values > 0) this.countService(serviceId);
    this.values += values;
  }

  sinkOf(of: Pick<FoundAlert, 'serviceId' | 'host' | 'subject'>): TrialSink {
    return {
      fired: (place) => {
        this.fired[place] = (this.fired[place] as number) + 1;
      },
      alert: (alert) => {
        this.#alerts.push({ ...of, ...alert });
        if (this.#alerts.length >= 4 * this.#maxAlerts) this.#cut();
      },
    };
  }

  #cut(): void {
    this.#alerts.sort(newestFirst);
    this.#alerts.length = Math.min(this.#alerts.length, this.#maxAlerts);
  }
}

function newestFirst(a: FoundAlert, b: FoundAlert): number {
  if (a.firedAt !== b.firedAt) return b.firedAt - a.firedAt;
  return a.host === b.host ? compare(a.subject.name, b.subject.name) : compare(a.host, b.host);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
