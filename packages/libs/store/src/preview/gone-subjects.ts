import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { PART_GONE_MS, PAYLOADS_UNTIL_GONE } from '@tidewatch/domain/alerting/absence';
import { firstPartsWithin } from './first-parts.ts';
import { readMissedPayloads } from './missed-payloads.ts';
import type { StreamSubject } from './plan-legs.ts';
import type { PreviewContext } from './preview-context.ts';

/** The max length of a gap that counts as usual, ms; one in which the host was silent as well says nothing of others. */
const MAX_USUAL_GAP_MS = 5 * MINUTE_MS;

/** Finds when containers and parts were gone, as live evaluation does: from payloads of their host that lacked them. */
export class GoneSubjects {
  readonly #context: PreviewContext;
  /** By service, the length of a gap between values of a container in which no payload lacked it, ms: shorter gaps need no look. */
  readonly #usualGaps = new Map<string, number>();

  constructor(context: PreviewContext) {
    this.#context = context;
  }

  /** Whether a subject may be gone between two of its values, ms; `newest` is -Infinity without a value before. */
  mayBeGone({ stored }: StreamSubject, newest: number, time: number): boolean {
    const gap = time - newest;
    if (stored.subject.kind === 'part') return gap >= PART_GONE_MS;
    if (stored.subject.kind !== 'container') return false;
    const usual = this.#usualGaps.get(stored.serviceId) ?? 0;
    // Payloads that follow each other faster than before may now fit into such a gap.
    if (gap * (PAYLOADS_UNTIL_GONE + 1) <= usual) this.#usualGaps.delete(stored.serviceId);
    return gap > usual;
  }

  /** When the subject was gone after its value at `newest` and before `until`, ms; null if it was not. */
  async goneAt(subject: StreamSubject, newest: number, until: number): Promise<number | null> {
    const { tx, request } = this.#context;
    const { serviceId, subject: evaluated } = subject.stored;
    if (newest === Number.NEGATIVE_INFINITY) return null;
    if (evaluated.kind === 'part')
      return firstPartsWithin(tx, request, serviceId, { from: newest + PART_GONE_MS, to: until });
    const { name } = evaluated;
    // What a rule expects is evaluated as 0 while it is away.
    if (evaluated.kind !== 'container' || subject.rules.own.expected.includes(name)) return null;
    const { organizationId, tier } = request;
    const wanted = { organizationId, serviceId, name, tier, after: newest, to: until };
    const { count, goneAt } = await readMissedPayloads(tx, wanted);
    const gap = until - newest;
    if (count === 0 && gap <= MAX_USUAL_GAP_MS) this.#usualGaps.set(serviceId, gap);
    return goneAt;
  }
}
