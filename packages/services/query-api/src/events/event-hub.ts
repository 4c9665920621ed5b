import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { isId } from '@tidewatch/contracts/values/id';
import type { Sql } from '@tidewatch/database/connection';
import { beyondRequest } from '@tidewatch/database/tenancy/bound-organization';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import { createRounds } from '@tidewatch/runtime/process/rounds';
import type { Response } from 'express';
import type { EventFilter } from './event-filter.ts';
import { farewellFrame, KEEP_ALIVE, openingFrame, resetFrame } from './event-frame.ts';
import { eventMetrics } from './event-metrics.ts';
import { openReader } from './event-reader.ts';
import { createLogSource } from './log-source.ts';
import { createFeed, type OrganizationFeed, type Seat } from './organization-feed.ts';
import { createPlaces, type PlaceLimits } from './stream-places.ts';

export interface EventHubOptions extends Pick<ServiceEnvironment, 'clock' | 'metrics' | 'logger'> {
  /** A pool whose login is a member of tidewatch_api. */
  sql: Sql;
  random: () => number;
  limits?: Partial<EventHubLimits>;
}

export interface EventHubLimits extends PlaceLimits {
  /** How long events are batched before clients receive them, ms. */
  gatherMs: number;
  /** Time between two keep-alives, ms. */
  keepAliveMs: number;
  /** Time between two checks of the keys and sessions of open streams, ms. */
  checkKeysMs: number;
  /** A client with this many unread bytes is disconnected when further events arrive. */
  slowAtBytes: number;
  /** How long a client may take to read one part while it catches up, ms. */
  partWithinMs: number;
}

/** A request to follow events, whose key was checked. */
export interface StreamRequest {
  organizationId: string;
  keyId: string;
  /** The key or session with which the client authenticated: the stream ends when that is revoked or expires. */
  credentialId: string;
  filter: EventFilter;
  /** The Last-Event-ID that the client sent; empty if it sent none. */
  lastEventId: string;
  /** Whether the key or the session still allows the stream. */
  stillOpens(): Promise<boolean>;
}

export interface EventHub {
  start(): void;
  /** Turns the response into a stream of events. Throws before anything is sent if there are too many streams. */
  open(response: Response, request: StreamRequest): Promise<void>;
  /** Ends all streams, and makes their clients reconnect after a delay. */
  stop(): Promise<void>;
}

const DEFAULT_LIMITS: EventHubLimits = {
  streams: 8_000,
  streamsOfOrganization: 4_000,
  streamsOfKey: 2_000,
  gatherMs: 100,
  keepAliveMs: 15_000,
  checkKeysMs: 2_000,
  slowAtBytes: 1024 * 1024,
  partWithinMs: 30_000,
};

/** A stream is resumed only if the event that follows the client's last one is younger than this, ms. */
export const RESUMED_WITHIN_MS = DAY_MS;
const MAX_PAUSE_MS = 2_000;
/** The pause while there is no stream, which the first one ends, ms. */
const UNUSED_PAUSE_MS = 60_000;
/** The max number of organizations whose events are read concurrently. */
const READ_AT_ONCE = 4;
/** The period over which the clients of a stopping process are spread when they reconnect, ms. */
const COME_BACK_WITHIN_MS = 3_000;

interface Stream {
  seat: Seat;
  /** Whether the client has received all earlier events and now gets new ones as they are published. */
  joined: boolean;
  credentialId: string;
  stillOpens: StreamRequest['stillOpens'];
}

/**
 * Sends published events to the streams of this process, and follows the log while there are streams. A client that
 * reconnects catches up from the log, so it may connect to any process.
 */
export function createEventHub(options: EventHubOptions): EventHub {
  const { clock, logger } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const log = createLogSource(options.sql);
  const places = createPlaces(limits);
  const metrics = eventMetrics(options.metrics);
  const feeds = new Map<string, { users: number; feed: Promise<OrganizationFeed> }>();
  const streams = new Set<Stream>();
  const timers: NodeJS.Timeout[] = [];

  function drop(stream: Stream, why: 'slow' | 'key'): void {
    metrics.dropped(why);
    if (why === 'slow') stream.seat.reader.cut();
    else stream.seat.reader.end(farewellFrame(COME_BACK_WITHIN_MS));
  }

  /** The feed of an organization from the current end of the log on, which its streams share. */
  function useFeed(organizationId: string): Promise<OrganizationFeed> {
    let used = feeds.get(organizationId);
    if (used === undefined) {
      used = { users: 0, feed: beyondRequest(() => openFeed(organizationId)) };
      feeds.set(organizationId, used);
      rounds.nudge();
    }
    used.users += 1;
    return used.feed;
  }

  function leaveFeed(organizationId: string): void {
    const used = feeds.get(organizationId);
    if (used === undefined) return;
    used.users -= 1;
    if (used.users === 0) feeds.delete(organizationId);
  }

  async function openFeed(organizationId: string): Promise<OrganizationFeed> {
    const position = await log.head();
    const newestId = await log.newestId(organizationId, position);
    const { slowAtBytes } = limits;
    const onSlow = (seat: Seat) => {
      for (const stream of streams) if (stream.seat === seat) drop(stream, 'slow');
    };
    return createFeed({ position, newestId, slowAtBytes, onSlow });
  }

  /** Where to resume a stream: null if the client did not ask to resume, a reason if that is impossible. */
  async function resume(
    organizationId: string,
    id: string,
  ): Promise<number | null | 'unknown_id' | 'too_old'> {
    if (id === '') return null;
    const found = isId('evt', id) ? await log.find(organizationId, id, clock() - RESUMED_WITHIN_MS) : null;
    if (found === null) return 'unknown_id';
    return found.late ? 'too_old' : found.sequence;
  }

  /**
   * Sends a client the events that it missed, at the speed of the client, then adds it to the feed. Returns false if the
   * client is too slow.
   */
  async function catchUp(organizationId: string, feed: OrganizationFeed, stream: Stream): Promise<boolean> {
    const { seat } = stream;
    const { reader, filter } = seat;
    while (seat.after < feed.position) {
      const part = await log.read(organizationId, seat.after, feed.position);
      const frames = part.events.filter(({ event }) => filter.wants(event)).map(({ frame }) => frame);
      if (frames.length > 0) reader.write(Buffer.concat(frames));
      seat.after = part.upTo;
      if (!(await reader.drained(limits.partWithinMs))) return !reader.isOpen();
    }
    // Set in the same turn of the event loop as the check of the position, so that no event is sent in between.
    stream.joined = true;
    if (reader.isOpen()) feed.join(seat);
    return true;
  }

  async function serve(response: Response, request: StreamRequest, feed: OrganizationFeed): Promise<void> {
    const { organizationId, lastEventId, filter, credentialId, stillOpens } = request;
    const from = await resume(organizationId, lastEventId);
    if (rounds.isStopped()) throw new ProblemError('shutting_down');
    let leave: () => void = () => undefined;
    const reader = openReader(response, () => leave());
    const after = typeof from === 'number' ? from : feed.position;
    const stream: Stream = { seat: { reader, filter, after }, joined: false, credentialId, stillOpens };
    streams.add(stream);
    const gone = new Promise<void>((resolve) => {
      leave = () => {
        streams.delete(stream);
        feed.leave(stream.seat);
        resolve();
      };
    });
    if (typeof from === 'string') reader.write(resetFrame(feed.newestId, from));
    else reader.write(openingFrame(from === null ? feed.newestId : null));
    try {
      if (!(await catchUp(organizationId, feed, stream))) drop(stream, 'slow');
    } catch (error) {
      logger.warn(
        { err: error },
        'a stream of events could not be resumed and was closed; its client may reconnect',
      );
      reader.cut();
    }
    await gone;
  }

  async function advance(organizationId: string, opening: Promise<OrganizationFeed>, head: number) {
    const feed = await opening;
    if (feed.position >= head) return;
    const { events, upTo } = await log.read(organizationId, feed.position, head);
    feed.deliver(events, upTo);
    const now = clock();
    for (const { event } of events) metrics.handed((now - event.createdAt) / 1_000);
  }

  async function follow(): Promise<void> {
    if (feeds.size === 0) return;
    const head = await log.head();
    const open = [...feeds];
    for (let next = 0; next < open.length; next += READ_AT_ONCE) {
      const turn = open.slice(next, next + READ_AT_ONCE);
      await Promise.all(turn.map(([organizationId, { feed }]) => advance(organizationId, feed, head)));
    }
  }

  let failing = false;
  const rounds = createRounds({
    async round() {
      const began = performance.now();
      await follow();
      failing = false;
      return feeds.size === 0 ? UNUSED_PAUSE_MS : Math.max(1, limits.gatherMs - (performance.now() - began));
    },
    onFailure(error) {
      if (!failing) logger.warn({ err: error }, 'events could not be read; streams wait; retrying');
      failing = true;
    },
    minPauseMs: 2 * limits.gatherMs,
    maxPauseMs: MAX_PAUSE_MS,
    random: options.random,
  });

  async function keepAlive(): Promise<void> {
    const open = await Promise.all([...feeds.values()].map(({ feed }) => feed.catch(() => null)));
    for (const feed of open) feed?.keepAlive();
    for (const { seat, joined } of streams) if (!joined) seat.reader.write(KEEP_ALIVE);
  }

  /** Checks each key and each session once, however many streams it has. */
  async function checkKeys(): Promise<void> {
    const checks = new Map<string, Promise<boolean>>();
    for (const { credentialId, stillOpens } of streams)
      if (!checks.has(credentialId)) checks.set(credentialId, stillOpens());
    for (const [credentialId, opens] of checks) {
      if (await opens) continue;
      for (const stream of [...streams]) if (stream.credentialId === credentialId) drop(stream, 'key');
    }
  }

  return {
    start() {
      if (!rounds.isStopped()) return;
      rounds.start();
      timers.push(
        setInterval(() => void keepAlive(), limits.keepAliveMs).unref(),
        setInterval(() => void checkKeys(), limits.checkKeysMs).unref(),
      );
    },
    async open(response, request) {
      if (rounds.isStopped()) throw new ProblemError('shutting_down');
      const leave = places.take(request.organizationId, request.keyId);
      metrics.open(places.taken());
      try {
        await serve(response, request, await useFeed(request.organizationId));
      } finally {
        leaveFeed(request.organizationId);
        leave();
        metrics.open(places.taken());
      }
    },
    async stop() {
      const ended = rounds.stop();
      for (const timer of timers.splice(0)) clearInterval(timer);
      for (const { seat } of streams)
        seat.reader.end(farewellFrame(Math.round(options.random() * COME_BACK_WITHIN_MS)));
      await ended;
    },
  };
}
