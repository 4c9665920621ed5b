import type { Payload } from '@tidewatch/contracts/ingest/sample';
import type { MemberKind } from '../memory/judged-service.ts';
import type { Pair } from '../memory/pair.ts';
import type { Stream } from '../memory/stream.ts';

/** How far the containers of a payload were judged, or its processes. */
export interface MembersProgress {
  /** Values that are judged, in their order. */
  done: number;
  /** Whether the payload was newer than all before it; null before it was looked at. */
  isNewer: boolean | null;
  /** Streams that the payload lacks and that were judged for it. */
  readonly missed: Set<Stream>;
}

/** How far one payload was judged whose judging stops between two alert instances and goes on there. */
export class PayloadProgress {
  #payload: Payload | null = null;
  #generation = -1;
  /** Metrics of the host that are judged. */
  metrics = 0;
  /** Whether the host is matched with the rules of containers and processes that are new. */
  isMatched = false;
  /** How many pairs of a stream have judged its value, by the list of its pairs: another list begins anew. */
  readonly pairs = new Map<readonly Pair[], number>();
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
    if (this.pairs.size > 0) this.pairs.clear();
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
