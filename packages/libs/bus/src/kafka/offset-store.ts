/** Where a consumer stands in a partition. `nextOffset` is null where it has not read anything yet. */
export interface Position {
  partition: number;
  /** Raised by each claim; who holds an older one has lost the partition. */
  epoch: number;
  nextOffset: bigint | null;
  /** Of the last record that was applied, the one before `nextOffset`. */
  fingerprint: number | null;
}

/** From where to where a transaction moves a partition. */
export interface Move {
  partition: number;
  epoch: number;
  from: bigint;
  to: bigint;
  fingerprint: number;
  /** Of the record before `from`; null, or left out, where it is not known. */
  former?: number | null;
}

/** Kept by the store beside the rows that consumers write, so that both change in one transaction. */
export interface OffsetStore<Tx> {
  /** Takes partitions over: raises their epochs, so that a former owner's transactions fail. */
  claim(consumer: string, topic: string, partitions: readonly number[]): Promise<Position[]>;
  /** The first statement of a consumer's transaction: from `from`, or from nothing at all, to `to`. Answers the partitions that somebody else has taken over. */
  advance(tx: Tx, consumer: string, topic: string, moves: readonly Move[]): Promise<number[]>;
  /** In the transaction of an `advance`: takes the moves back, where not all of their records were taken. The epochs stay held. */
  retreat(tx: Tx, consumer: string, topic: string, moves: readonly Move[]): Promise<void>;
  /** As `advance`, without moving and without waiting: holds the epochs until the transaction ends. */
  hold(
    tx: Tx,
    consumer: string,
    topic: string,
    held: readonly Pick<Position, 'partition' | 'epoch'>[],
  ): Promise<number[]>;
  /**
   * Where the partitions stand once every transaction under way that moves them has ended, e.g. after a commit whose
   * answer was lost: the server may still be at it.
   */
  read(consumer: string, topic: string, partitions: readonly number[]): Promise<Position[]>;
  /** Remembers the topic at the first call, and answers what is remembered of it. */
  remember(topic: string, seen: TopicIdentity): Promise<TopicIdentity>;
}

/** What tells a topic from another of the same name. */
export interface TopicIdentity {
  clusterId: string;
  partitions: number;
}
