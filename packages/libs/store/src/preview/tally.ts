import type { Subject } from '@tidewatch/contracts/values/subject';
import type { TrialAlert, TrialSink } from '@tidewatch/domain/preview/trial';

/** An alert that there would have been, with whose it is. */
export interface FoundAlert extends TrialAlert {
  serviceId: string;
  host: string;
  subject: Subject;
}

/** What trials come to: the newest alerts of the rule, and how often each rule fired. */
export class Tally {
  readonly #most: number;
  readonly #services = new Set<string>();
  #alerts: FoundAlert[] = [];
  /** How many values were judged. */
  values = 0;
  /** How often the rule at each place fired. */
  readonly fired: number[];

  constructor(rules: number, most: number) {
    this.fired = Array.from({ length: rules }, () => 0);
    this.#most = most;
  }

  get services(): number {
    return this.#services.size;
  }

  /** The newest alerts, the last to fire first. */
  get alerts(): readonly FoundAlert[] {
    this.#cut();
    return this.#alerts;
  }

  /** Something of the service was there to be judged. */
  judged(serviceId: string): void {
    this.#services.add(serviceId);
  }

  /** So many values of the service were judged. */
  took(serviceId: string, values: number): void {
    if (values > 0) this.judged(serviceId);
    this.values += values;
  }

  sinkOf(of: Pick<FoundAlert, 'serviceId' | 'host' | 'subject'>): TrialSink {
    return {
      fired: (place) => {
        this.fired[place] = (this.fired[place] as number) + 1;
      },
      alert: (alert) => {
        this.#alerts.push({ ...of, ...alert });
        if (this.#alerts.length >= 4 * this.#most) this.#cut();
      },
    };
  }

  #cut(): void {
    this.#alerts.sort(newestFirst);
    this.#alerts.length = Math.min(this.#alerts.length, this.#most);
  }
}

function newestFirst(a: FoundAlert, b: FoundAlert): number {
  if (a.firedAt !== b.firedAt) return b.firedAt - a.firedAt;
  return a.host === b.host ? compare(a.subject.name, b.subject.name) : compare(a.host, b.host);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
