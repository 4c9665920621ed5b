/**
 * The result of one delivery for a consumer. `part`: this transaction processed `done` (null: nothing), and a later one
 * receives `rest` before any later message of the same key. The consumers that follow receive only `done`.
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

/** The partitions of a topic that a consumer reads; `count` is the number of partitions of the topic. */
export interface Assignment<Tx> {
  partitions: ReadonlySet<number>;
  count: number;
  /**
   * Locks the partitions until a transaction of the consumer's own ends. Returns false while a delivery moves them, and
   * after another process has taken them over.
   */
  hold(tx: Tx): Promise<boolean>;
}

/** A consumer of a topic. It writes in the store's transaction `tx`, which the bus commits together with the offsets. */
export interface Consumer<T, Tx> {
  name: string;
  /** Receive each delivery at once instead of in batches: for topics of few and small messages. */
  prompt?: boolean;
  /**
   * Called once in each transaction, before any consumer handles the batch: sends statements ahead whose results `handle` needs, so that
   * they travel with the first ones. In one process they have to be a `select`.
   */
  prepare?(batch: readonly Delivery<T>[], tx: Tx): void;
  /**
   * Returns one verdict for each delivery, in order; an exception retries the whole batch. Only one consumer of a topic may
   * return `part`, and it comes first, so that the others store nothing before it.
   */
  handle(batch: readonly Delivery<T>[], tx: Tx): Promise<readonly Verdict[]>;
  /** Called before the first delivery and whenever the partitions change: the consumer must forget other partitions. */
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
   * Resolves once every message is durable; with `receipt`, to where they are stored. Throws BusUnavailableError if they
   * may not be durable, and PublicationRefusedError if one of them is a poison message that a synchronous topic refuses.
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
