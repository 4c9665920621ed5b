/** Where a consumer stands in a partition. `nextOffset` is null where it has not read anything yet. */
export interface Position {
  partition: number;
  /** Raised by each claim; who holds an older one has lost the partition. */
  epoch: number;
  nextOffset: bigint | null;
  /** Checksum of the last record that was applied, the one before `nextOffset`. */
  fingerprint: number | null;
}

/** From where to where a transaction moves a partition. */
export interface Move {
  partition: number;
  epoch: number;
  from: bigint;
  to: bigint;
  /** Checksum of each record from `from` up to `to`, in their order. */
  fingerprints: readonly number[];
}

/** What is left of a delivery that was taken in part; its record is behind the position. */
export interface StoredRest {
  partition: number;
  /** The order within the partition. */
  seq: number;
  offset: bigint;
  publishedAt: number;
  /** One value, packed as a record of the topic. */
  value: Buffer;
}

/** Fingerprints of the newest records that were applied, without a gap: the last is that of the record before the position. */
export interface Checkpoints {
  /** Offset of the oldest of them. */
  first: bigint;
  fingerprints: readonly number[];
}

/** From where to where a partition moves back, since the log lacks what was applied; `fingerprint` is of the record before `to`. */
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
   * The first statement of a consumer's transaction: from `from`, or from nothing at all, to `to`. Returns the partitions that
   * another process has taken over. A move whose `to` equals its `from` locks its partition until the transaction ends.
   */
  advance(tx: Tx, consumer: string, topic: string, moves: readonly Move[]): Promise<number[]>;
  /** In the transaction of an `advance` of their partitions: deletes the rests `gone`, and stores `kept` in place of those of the same `seq`. */
  leave(
    tx: Tx,
    consumer: string,
    topic: string,
    gone: readonly Pick<StoredRest, 'partition' | 'seq'>[],
    kept: readonly StoredRest[],
  ): Promise<void>;
  /** The rests of partitions, in the order in which they are processed. */
  rests(consumer: string, topic: string, partitions: readonly number[]): Promise<StoredRest[]>;
  /** Like `advance`, but moves no position and does not wait: locks the epochs until the transaction ends. */
  hold(
    tx: Tx,
    consumer: string,
    topic: string,
    held: readonly Pick<Position, 'partition' | 'epoch'>[],
  ): Promise<number[]>;
  /**
   * The positions of the partitions, once every running transaction that moves them has ended. After a commit whose result
   * was lost, the server may still be running it.
   */
  read(consumer: string, topic: string, partitions: readonly number[]): Promise<Position[]>;
  /** The checkpoints of the records before the position; none where nothing was applied yet. */
  checkpoints(consumer: string, topic: string, partition: number): Promise<Checkpoints>;
  /**
   * Moves a partition back by compare-and-swap and raises its epoch, so that no earlier transaction moves it. Returns the new
   * epoch, or null where another process has taken the partition over. Safe to repeat after a lost answer.
   */
  rewind(consumer: string, topic: string, rewind: Rewind): Promise<number | null>;
  /** Stores the topic's identity at the first call, and returns the stored one. */
  remember(topic: string, seen: TopicIdentity): Promise<TopicIdentity>;
}

/** What distinguishes a topic from another of the same name. */
export interface TopicIdentity {
  clusterId: string;
  partitions: number;
}
