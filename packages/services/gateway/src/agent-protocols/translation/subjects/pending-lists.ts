import type { Payload } from '@tidewatch/contracts/ingest/sample';
import type { ListedSubjects, SubjectList } from './subject-list.ts';

/**
 * The lists of containers and processes of one host that a request gives. A list whose members have times of their own is given once
 * for a request, at the last of them.
 */
export class PendingLists {
  readonly #lists = new Map<string, { time: number; listed: ListedSubjects }>();

  /** Adds what a list has at `first` (ms), which belongs to the sample at `time`. */
  add(list: SubjectList, time: number, first: number, stepMs: number): void {
    const listed = list.listAt(first, stepMs);
    const { name, isAtOnce } = list.family;
    if (listed !== undefined) this.#lists.set(isAtOnce ? `${name} ${time}` : name, { time, listed });
  }

  /** Adds the lists to the payloads of the host from `from` on; a list at another time is a payload of its own. */
  attach(host: string, payloads: Payload[], from: number): void {
    for (const { time, listed } of this.#lists.values()) {
      let payload = payloads.findLast((each, index) => index >= from && each.time === time);
      if (payload === undefined) {
        payload = { host, time, metrics: [], values: [] };
        payloads.push(payload);
      }
      Object.assign(payload, listed);
    }
  }
}
