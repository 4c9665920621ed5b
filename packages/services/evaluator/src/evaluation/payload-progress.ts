import type { Payload } from '@tidewatch/contracts/ingest/sample';
import type { AlertInstance } from '../memory/alert-instance.ts';
import type { MemberKind } from '../memory/evaluated-service.ts';
import type { Stream } from '../memory/stream.ts';

/** How far the containers of a payload were evaluated, or its processes. */
export interface MembersProgress {
  /** Values that are evaluated, in their order. */
  done: number;
  /** Whether the payload was newer than all before it; null before it was looked at. */
  isNewer: boolean | null;
  /** Streams that the payload lacks and that were evaluated for it. */
  readonly missed: Set<Stream>;
}

/** How far one payload was evaluated whose evaluating stops between two alert instances and goes on there. */
export class PayloadProgress {
  #payload: Payload | null = null;
  #generation = -1;
  /** Metrics of the host that are judged. */
  metrics = 0;
  /** Whether the host is matched with the rules of containers and processes that are new. */
  isMatched = false;
  /** How many alert instances of a stream have evaluated its value, by the list of its alert instances: another list begins anew. */
  readonly instances = new Map<readonly AlertInstance[], number>();
  readonly members: Record<MemberKind, MembersProgress> = {
    container: { done: 0, isNewer: null, missed: new Set() },
    process: { done: 0, isNewer: null, missed: new Set() },
  };

  /** Begins the payload, or goes on with it; edited rules (`generation`) begin it anew. */
  follow(payload: Payload, generation: number): void {
    if (this.#payload === payload && this.#generation === generation) return;
    const isSame = this.#payload === payload;
    this.#payload = payload;
    this.#generation = generation;
    this.metrics = 0;
    this.isMatched = false;
    if (this.instances.size > 0) this.instances.clear();
    restart(this.members.container, isSame);
    restart(this.members.process, isSame);
  }
}

function restart(members: MembersProgress, isSame: boolean): void {
  members.done = 0;
  if (isSame) return;
  members.isNewer = null;
  // Clearing an empty set allocates a new table, which counts where it is done for every payload.
  if (members.missed.size > 0) members.missed.clear();
}
