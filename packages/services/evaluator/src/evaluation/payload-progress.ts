import type { Payload } from '@tidewatch/contracts/ingest/sample';
import type { AlertInstance } from '../memory/alert-instance.ts';
import type { MemberKind } from '../memory/evaluated-service.ts';
import type { Stream } from '../memory/stream.ts';

/** Progress within the containers or the processes of a payload. */
export interface MembersProgress {
  /** How many values of the payload, in their order, are evaluated. */
  done: number;
  /** Whether the payload is newer than every earlier payload of the host; null until this is checked. */
  isNewer: boolean | null;
  /** How many containers or names of processes, in their order, are evaluated of those that are there or away. */
  counted: number;
  /** Whether the payload is newer than every earlier one that said what is there; null until this is checked. */
  countsAreNewer: boolean | null;
  /** Streams without a value in the payload whose absence has already been counted. */
  readonly missed: Set<Stream>;
}

/** Progress within one payload, whose evaluation may stop between two alert instances and continue there. */
export class PayloadProgress {
  #payload: Payload | null = null;
  #generation = -1;
  /** Number of evaluated metrics of the host. */
  metrics = 0;
  /** Number of evaluated numbers of parts. */
  parts = 0;
  /** Whether the host is matched with the rules of new containers and processes. */
  isMatched = false;
  /** The number of alert instances that have evaluated the current value, by their list: a new list starts from zero. */
  readonly instances = new Map<readonly AlertInstance[], number>();
  readonly members: Record<MemberKind, MembersProgress> = {
    container: { done: 0, isNewer: null, counted: 0, countsAreNewer: null, missed: new Set() },
    process: { done: 0, isNewer: null, counted: 0, countsAreNewer: null, missed: new Set() },
  };

  /** Starts a payload, or continues with the same one; if rules were edited (`generation`), the payload starts again. */
  follow(payload: Payload, generation: number): void {
    if (this.#payload === payload && this.#generation === generation) return;
    const isSame = this.#payload === payload;
    this.#payload = payload;
    this.#generation = generation;
    this.metrics = 0;
    this.parts = 0;
    this.isMatched = false;
    if (this.instances.size > 0) this.instances.clear();
    restart(this.members.container, isSame);
    restart(this.members.process, isSame);
  }
}

function restart(members: MembersProgress, isSame: boolean): void {
  members.done = 0;
  members.counted = 0;
  if (isSame) return;
  members.isNewer = null;
  members.countsAreNewer = null;
  // Checks the size first, because clearing an empty set allocates, and this runs for every payload.
  if (members.missed.size > 0) members.missed.clear();
}
