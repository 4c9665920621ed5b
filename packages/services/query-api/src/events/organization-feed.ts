import type { EventFilter } from './event-filter.ts';
import { type FramedEvent, KEEP_ALIVE, keepAliveFrame } from './event-frame.ts';
import type { EventReader } from './event-reader.ts';

/** A client that has received everything up to a position of the log. */
export interface Seat {
  reader: EventReader;
  filter: EventFilter;
  /** The sequence number of the last event that the client had received when it joined. */
  after: number;
}

export interface OrganizationFeed {
  /** Every client of the feed has received everything up to this sequence number. */
  readonly position: number;
  /** The id of the newest event up to `position`; null if there is none. */
  readonly newestId: string | null;
  /** Sends the events after the position to all clients, and advances the position to `upTo`. */
  deliver(events: readonly FramedEvent[], upTo: number): void;
  /** Adds a client, which receives the events after the position, or after `seat.after` if that is higher. */
  join(seat: Seat): void;
  leave(seat: Seat): void;
  keepAlive(): void;
}

export interface FeedOptions {
  position: number;
  newestId: string | null;
  /** A client with this many unread bytes receives no more events. */
  slowAtBytes: number;
  /** Called for a client that is too slow; its connection is cut. */
  onSlow(seat: Seat): void;
}

interface Group {
  filter: EventFilter;
  seats: Set<Seat>;
}

const NOTHING = Buffer.alloc(0);

const framesOf = (events: readonly FramedEvent[]) => Buffer.concat(events.map(({ frame }) => frame));

/** Sends the events of one organization to its clients, grouped by filter, with one buffer for each group. */
export function createFeed(options: FeedOptions): OrganizationFeed {
  const groups = new Map<string, Group>();
  let { position, newestId } = options;

  function hand(seat: Seat, frame: Buffer): void {
    if (frame.length === 0 || !seat.reader.isOpen()) return;
    // Checked before the write, because no client can have read what is being written.
    if (seat.reader.waiting() > options.slowAtBytes) options.onSlow(seat);
    else seat.reader.write(frame);
  }

  return {
    get position() {
      return position;
    },
    get newestId() {
      return newestId;
    },
    deliver(events, upTo) {
      const first = events[0]?.event.sequence ?? upTo;
      const all = events.length === 0 ? NOTHING : framesOf(events);
      for (const { filter, seats } of groups.values()) {
        const wanted = events.filter(({ event }) => filter.wants(event));
        const shared = wanted.length === events.length ? all : framesOf(wanted);
        for (const seat of seats) {
          if (seat.after < first) hand(seat, shared);
          else hand(seat, framesOf(wanted.filter(({ event }) => event.sequence > seat.after)));
        }
      }
      position = upTo;
      newestId = events.at(-1)?.event.id ?? newestId;
    },
    join(seat) {
      const { filter } = seat;
      let group = groups.get(filter.name);
      if (group === undefined) {
        group = { filter, seats: new Set() };
        groups.set(filter.name, group);
      }
      group.seats.add(seat);
    },
    leave(seat) {
      const group = groups.get(seat.filter.name);
      group?.seats.delete(seat);
      if (group?.seats.size === 0) groups.delete(seat.filter.name);
    },
    keepAlive() {
      const frame = keepAliveFrame(newestId);
      for (const { seats } of groups.values()) {
        // Skips a client that joined at a higher position, which would otherwise get events twice.
        for (const seat of seats) hand(seat, seat.after > position ? KEEP_ALIVE : frame);
      }
    },
  };
}
