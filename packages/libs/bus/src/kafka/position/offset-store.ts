/** A consumer's position in one partition. `nextOffset` is null if the consumer has not read the partition yet. */
export interface Position {
  partition: number;
  /** A number that each takeover of the partition raises; a process with a lower epoch no longer owns the partition. */
  epoch: number;
  nextOffset: bigint | null;
  /** Checksum of the last record that was applied, the one before `nextOffset`. */
  fingerprint: number | null;
}

/** A transaction's move of a consumer's position in one partition, from the offset `from` to the offset `to`. */
export interface Move {
  partition: number;
  epoch: number;
  from: bigint;
  to: bigint;
  /** Checksum of each record from `from` up to `to`, in their order. */
  fingerprints: readonly number[];
}

/** The unprocessed part of a delivery. The position is already past the record that the delivery came from. */
export interface StoredRest {
  partition: number;
  /** The order in which the rests of a partition are processed. */
  seq: number;
  offset: bigint;
  publishedAt: number;
  /** The unprocessed value, packed as a record of the topic. */
  value: Buffer;
}

/** Fingerprints of the newest applied records without a gap; the last one is that of the record before the position. */
export interface Checkpoints {
  /** Offset of the oldest record that has a fingerprint here. */
  first: bigint;
  fingerprints: readonly number[];
}

/**
 * A partition's move back to an earlier offset, since the log lacks records that were applied; `fingerprint` is that of
 * the record before `to`.
 */
export interface Rewind {
  partition: number;
  epoch: number;
  from: bigint;
  to: bigint;
  fingerprint: number;
}

/** Stores positions in the database that consumers write to, so that both change in one transaction. */
export interface OffsetStore<Tx> {
  /** Takes partitions over: raises their epochs, so that a former owner's transactions fail. */
  claim(consumer: string, topic: string, partitions: readonly number[]): Promise<Position[]>;
  /**
   * Moves positions from `from` to `to`, as the first statement of a consumer's transaction. A move whose `to` equals its
   * `from` only locks its partition. Returns the partitions that another process has taken over.
   */
  advance(tx: Tx, consumer: string, topic: string, moves: readonly Move[]): Promise<number[]>;
  /**
   * Deletes the rests `gone`, and inserts or replaces the rests `kept` by their `seq`, in the same transaction as
   * `advance`.
   */
  leave(
    tx: Tx,
    consumer: string,
    topic: string,
    gone: readonly Pick<StoredRest, 'partition' | 'seq'>[],
    kept: readonly StoredRest[],
  ): Promise<void>;
  /** The rests of partitions, in the order in which they are processed. */
  rests(consumer: string, topic: string, partitions: readonly number[]): Promise<StoredRest[]>;
  /**
   * Locks the epochs of the partitions until the transaction ends, without moving positions and without waiting; returns
   * the partitions that another process has taken over.
   */
  hold(
    tx: Tx,
    consumer: string,
    topic: string,
    held: readonly Pick<Position, 'partition' | 'epoch'>[],
  ): Promise<number[]>;
  /**
   * Reads positions after every running transaction that moves them has ended. After a commit whose result was lost, the
   * server may still be running it.
   */
  read(consumer: string, topic: string, partitions: readonly number[]): Promise<Position[]>;
  /** The checkpoints of the records before the position; empty if no record was applied yet. */
  checkpoints(consumer: string, topic: string, partition: number): Promise<Checkpoints>;
  /**
   * Moves a partition back by compare-and-swap and raises its epoch, so that no earlier transaction can move it. Returns
   * the new epoch, or null if another process has taken the partition over. Safe to repeat.
   */
  rewind(consumer: string, topic: string, rewind: Rewind): Promise<number | null>;
  /** Stores the topic's identity at the first call, and returns the stored one at each call. */
  remember(topic: string, seen: TopicIdentity): Promise<TopicIdentity>;
}

/** The properties that distinguish a topic from another topic of the same name. */
export interface TopicIdentity {
  clusterId: string;
  partitions: number;
}
