/**
 * The result of one delivery. Only the bus turns a verdict into offsets or dead letters. `part`: this transaction processed
 * `done` (null: nothing), and a later one receives `rest`, before anything that was published after it under the same key;
 * so the rest of that key's batch is left too. The consumers that follow receive only `done`.
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

/** The position of a record in Kafka's log. */
export interface RecordPlace {
  topic: string;
  partition: number;
  offset: bigint;
}

/** The place where messages were stored: the records of a log, or the database transaction that stored them. */
export type Receipt = { records: readonly RecordPlace[] } | { transaction: string };

export interface PublishOptions {
  /** If true, `publish` returns a receipt. False by default, since a receipt costs a little. */
  receipt?: boolean;
}

/**
 * The state of the store after a failed transaction. `rolled_back`: nothing was stored. `unknown`: the result of the
 * commit was lost, so only a query of the store shows whether the data were stored.
 */
export type RollbackOutcome = 'rolled_back' | 'unknown';

/** The partitions of a topic that a consumer reads; `count` is the topic's number of partitions. */
export interface Assignment<Tx> {
  partitions: ReadonlySet<number>;
  count: number;
  /**
   * Locks the partitions until a transaction of the consumer's own ends. False while a delivery moves them, and once
   * another process owns them.
   */
  hold(tx: Tx): Promise<boolean>;
}

/**
 * Reads a topic. `tx` is the store's transaction in which the consumer writes;
 * the bus commits it together with the offsets.
 */
export interface Consumer<T, Tx> {
  name: string;
  /** Receive each delivery at once instead of in batches: for topics of few and small messages. */
  prompt?: boolean;
  /**
   * Returns one verdict for each delivery, in order. Throwing means retry for all of them. One consumer of a topic may
   * return `part`; where several share a transaction it comes first, so that nothing is stored before it has processed it.
   */
  handle(batch: readonly Delivery<T>[], tx: Tx): Promise<readonly Verdict[]>;
  /** Called before the first delivery and at each change: the consumer must drop its memory of other partitions. */
  assigned?(assignment: Assignment<Tx>): void;
  /** Called after the commit: the consumer applies what it staged in memory. */
  committed?(): void;
  /** Called after a rollback: the consumer drops uncommitted memory and reloads it from the store before the next batch. */
  rolledBack?(outcome: RollbackOutcome): void;
}

export interface BusHealth {
  ok: boolean;
  reasons: string[];
}

export interface Bus<Tx> {
  /**
   * Resolves once every message is durable. Throws BusUnavailableError when they may not be, and, where it waits for
   * consumers, PublicationRefusedError when one message is a poison message: then nothing of the publication counts as stored.
   * Returns a receipt where `receipt` is set and the topic has a log or a transaction.
   */
  publish<T>(
    topic: string,
    messages: readonly Message<T>[],
    options?: PublishOptions,
  ): Promise<Receipt | null>;
  /**
   * Adds a consumer of a topic; must be called before start(). Consumers of one topic are called in the order of
   * subscription.
   */
  subscribe<T>(topic: string, consumer: Consumer<T, Tx>): void;
  /**
   * Resolves once the bus is open, or once opening has failed: then `health` has the reason, and the bus retries unless an
   * operator has to decide.
   */
  start(): Promise<void>;
  health(): BusHealth;
  /** Refuses new publications, finishes what was accepted, then releases every resource. */
  close(): Promise<void>;
}

/** The bus cannot make the messages durable now. The caller may retry after `retryAfterSeconds`. */
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

/** The publication failed for good: the messages cannot be stored by any retry and have become dead letters. */
export class PublicationRefusedError extends Error {
  override name = 'PublicationRefusedError';
}
