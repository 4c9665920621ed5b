/**
 * What became of one delivery. Only the bus turns a verdict into offsets or dead letters. `part`: `done` of it was taken in
 * this transaction, null for nothing of it, and `rest` is to be delivered in a later one, before anything that was
 * published after it under its key: what follows of the key in the batch is left too. Later consumers are given `done` alone.
 */
export type Verdict =
  | { kind: 'done' }
  | { kind: 'part'; done: unknown; rest: unknown }
  | { kind: 'retry'; reason: string }
  | { kind: 'deadLetter'; reason: string };

export const DONE: Verdict = { kind: 'done' };

/** `key` decides order: messages of one key are delivered in the order of their publication. */
export interface Message<T> {
  key: string;
  value: T;
}

/** `publishedAt` is milliseconds since the epoch. */
export interface Delivery<T> {
  topic: string;
  partition: number;
  offset: bigint;
  key: string;
  value: T;
  publishedAt: number;
}

/** A record of a log. */
export interface RecordPlace {
  topic: string;
  partition: number;
  offset: bigint;
}

/** Where a publication lies: the records of a log, or the database transaction that stored it. */
export type Receipt = { records: readonly RecordPlace[] } | { transaction: string };

export interface PublishOptions {
  /** Whether a receipt is wanted; false by default, since it costs a little. */
  receipt?: boolean;
}

/** `rolled_back`: nothing was stored. `unknown`: the commit's answer was lost, so only the store can tell. */
export type RollbackOutcome = 'rolled_back' | 'unknown';

/** The partitions that a consumer reads, of `count`. */
export interface Assignment<Tx> {
  partitions: ReadonlySet<number>;
  count: number;
  /**
   * In a transaction of the consumer's own: keeps the partitions until it ends. False where a delivery is moving them at
   * the moment, and once they are somebody else's.
   */
  hold(tx: Tx): Promise<boolean>;
}

/**
 * Reads a topic. `tx` is the store's transaction in which the consumer writes;
 * the bus commits it together with the offsets.
 */
export interface Consumer<T, Tx> {
  name: string;
  /** Every delivery at once, where a bus would rather gather some: for topics of few and small messages. */
  prompt?: boolean;
  /**
   * Answers one verdict for each delivery, in order. Throwing means retry for all of them. One consumer of a topic may
   * answer `part`; where several share a transaction it comes first, so that nothing is stored that it has yet to take.
   */
  handle(batch: readonly Delivery<T>[], tx: Tx): Promise<readonly Verdict[]>;
  /** Told before the first delivery, and whenever it changes: memory of other partitions is somebody else's now. */
  assigned?(assignment: Assignment<Tx>): void;
  /** The transaction was committed: what was staged in memory is true now. */
  committed?(): void;
  /** Forget uncommitted memory and reload it from the store before the next batch. */
  rolledBack?(outcome: RollbackOutcome): void;
}

export interface BusHealth {
  ok: boolean;
  reasons: string[];
}

export interface Bus<Tx> {
  /**
   * Resolves once every message is durable. Throws BusUnavailableError when they may not be, and, where it waits for
   * consumers, PublicationRefusedError when a message of it is poison: then the publication does not count as stored.
   * Answers the receipt where one is wanted and the bus can give one: a topic without a log or a transaction has none.
   */
  publish<T>(
    topic: string,
    messages: readonly Message<T>[],
    options?: PublishOptions,
  ): Promise<Receipt | null>;
  /** Before start(). Consumers of one topic are called in the order of their subscription. */
  subscribe<T>(topic: string, consumer: Consumer<T, Tx>): void;
  /**
   * Resolves once it is open, or once opening has failed: then `health` says why, and it goes on trying unless a person
   * has to decide.
   */
  start(): Promise<void>;
  health(): BusHealth;
  /** Refuses new publications, finishes what was accepted, then lets go of everything. */
  close(): Promise<void>;
}

/** The bus cannot make the messages durable now. The caller may try again after `retryAfterSeconds`. */
export class BusUnavailableError extends Error {
  readonly reason: string;
  readonly retryAfterSeconds: number;

  constructor(reason: string, retryAfterSeconds = 1, options?: ErrorOptions) {
    super(`the bus is unavailable: ${reason}`, options);
    this.name = 'BusUnavailableError';
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The messages can never be stored, however often they are tried: they are in the dead letters. */
export class PublicationRefusedError extends Error {
  override name = 'PublicationRefusedError';
}
