import type { Queryable, Sql, Transaction } from '@tidewatch/database/connection';
import { checkpointPieces, newestRun, SLOT_RECORDS } from './checkpoint-slots.ts';
import { createConsumerRests } from './consumer-rests.ts';

/** A consumer's position in a partition; null if no record was applied yet. */
export interface ConsumerPosition {
  partition: number;
  epoch: number;
  nextOffset: bigint | null;
  fingerprint: number | null;
}

/** A change of the position in a partition, with the `fingerprints` (0 to 2^32 - 1) of the records between, in order. */
export interface ConsumerMove {
  partition: number;
  epoch: number;
  from: bigint;
  to: bigint;
  fingerprints: readonly number[];
}

interface PositionRow {
  partition: number;
  epoch: number;
  next_offset: number | bigint | null;
  fingerprint: number | null;
}

/** The lock timeout of a takeover, which waits for transactions of the former owner. */
const CLAIM_LOCK_TIMEOUT = '8s';
/** The interval at which a takeover ends blocking transactions whose client is frozen or gone, ms. */
const END_BLOCKERS_INTERVAL_MS = 3_000;

function toPosition(row: PositionRow): ConsumerPosition {
  const { partition, epoch, fingerprint } = row;
  return {
    partition,
    epoch,
    nextOffset: row.next_offset === null ? null : BigInt(row.next_offset),
    fingerprint,
  };
}

/** Creates the store of consumer offsets, which change by compare-and-swap in the transactions that apply the records. */
export function createConsumerOffsets(sql: Sql) {
  /**
   * Reads positions once the transactions that move them have ended, because the outcome of a running commit is not known.
   */
  async function read(consumer: string, topic: string, partitions: readonly number[]) {
    const rows = await sql<PositionRow[]>`
      select partition, epoch::float8 as epoch, next_offset, fingerprint::float8 as fingerprint
      from consumer_offsets
      where consumer = ${consumer} and topic = ${topic} and partition = any(${list(partitions)}::integer[])
      order by partition for share`;
    return rows.map(toPosition);
  }

  return {
    read,

    /** Raises the epoch of each partition after the transactions of its former owner have ended; returns the positions. */
    async claim(consumer: string, topic: string, partitions: readonly number[]): Promise<ConsumerPosition[]> {
      if (partitions.length === 0) return [];
      const rows = await sql.begin(async (tx) => {
        const [self] = await tx<{ pid: number }[]>`
          select pg_backend_pid() as pid, set_config('lock_timeout', ${CLAIM_LOCK_TIMEOUT}, true)`;
        const ending = setInterval(() => void endIdleBlockers(sql, self?.pid ?? 0), END_BLOCKERS_INTERVAL_MS);
        return await tx<PositionRow[]>`
          insert into consumer_offsets as c (consumer, topic, partition, next_offset, epoch)
          select ${consumer}, ${topic}, p, null, 1 from unnest(${list(partitions)}::integer[]) as p order by p
          on conflict (consumer, topic, partition) do update set epoch = c.epoch + 1
          returning partition, epoch::float8 as epoch, next_offset, fingerprint::float8 as fingerprint`.finally(
          () => clearInterval(ending),
        );
      });
      return rows.map(toPosition);
    },

    /**
     * Advances partitions; returns those whose position or epoch differ from the caller's. A move without records only locks its
     * partition until the transaction ends.
     */
    async advance(
      tx: Transaction,
      consumer: string,
      topic: string,
      moves: readonly ConsumerMove[],
    ): Promise<number[]> {
      const pieces = moves.flatMap(checkpointPieces);
      const rows = await tx<{ partition: number }[]>`
        with moves as (
          select * from unnest(
            ${list(moves.map((move) => move.partition))}::integer[], ${list(moves.map((move) => move.epoch))}::bigint[],
            ${list(moves.map((move) => move.from))}::bigint[], ${list(moves.map((move) => move.to))}::bigint[],
            ${list(moves.map(({ fingerprints }) => fingerprints.at(-1) ?? 'null'))}::bigint[]
          ) as m (partition, epoch, past, next, fingerprint)
        ), locked as (
          select c.partition from consumer_offsets c join moves m using (partition)
          where c.consumer = ${consumer} and c.topic = ${topic}
          order by c.partition for update of c
        ), moved as (
        update consumer_offsets c set next_offset = m.next, fingerprint = coalesce(m.fingerprint, c.fingerprint)
        from moves m join locked using (partition)
        where c.consumer = ${consumer} and c.topic = ${topic} and c.partition = m.partition
          and c.epoch = m.epoch and (c.next_offset = m.past or c.next_offset is null)
        returning c.partition
        ), kept as (
          insert into consumer_checkpoints as k (consumer, topic, partition, slot, first_offset, fingerprints)
          select ${consumer}, ${topic}, partition, slot, first_offset, decode(fingerprints, 'hex') from unnest(
            ${list(pieces.map((piece) => piece.partition))}::integer[], ${list(pieces.map((piece) => piece.slot))}::integer[],
            ${list(pieces.map((piece) => piece.first))}::bigint[], ${list(pieces.map((piece) => piece.fingerprints))}::text[]
          ) as p (partition, slot, first_offset, fingerprints)
          join moved using (partition)
          on conflict (consumer, topic, partition, slot) do update set (first_offset, fingerprints) = (
            select case when continues then k.first_offset else excluded.first_offset end,
              case when continues
                then substring(k.fingerprints from 1 for 4 * (excluded.first_offset - k.first_offset)::integer)
                else '' end || excluded.fingerprints
            from (select excluded.first_offset between k.first_offset and k.first_offset + octet_length(k.fingerprints) / 4
              and k.first_offset / ${SLOT_RECORDS} = excluded.first_offset / ${SLOT_RECORDS} as continues) as c)
        )
        select partition from moved`;
      return missing(moves, rows);
    },

    ...createConsumerRests(sql),

    /**
     * Locks partitions until the transaction ends, without waiting; returns those that another process has taken over or is
     * moving.
     */
    async hold(
      tx: Transaction,
      consumer: string,
      topic: string,
      held: readonly { partition: number; epoch: number }[],
    ): Promise<number[]> {
      if (held.length === 0) return [];
      const rows = await tx<{ partition: number }[]>`
        select c.partition from consumer_offsets c
        join unnest(
          ${list(held.map((one) => one.partition))}::integer[], ${list(held.map((one) => one.epoch))}::bigint[]
        ) as h (partition, epoch) on c.partition = h.partition and c.epoch = h.epoch
        where c.consumer = ${consumer} and c.topic = ${topic}
        order by c.partition for share of c skip locked`;
      return missing(held, rows);
    },

    /** Fingerprints of the newest records that were applied, without a gap up to the position. */
    async checkpoints(
      consumer: string,
      topic: string,
      partition: number,
    ): Promise<{ first: bigint; fingerprints: number[] }> {
      const rows = await sql<{ first: string; fingerprints: Buffer; next: string | null }[]>`
        select k.first_offset::text as first, k.fingerprints, c.next_offset::text as next
        from consumer_checkpoints k join consumer_offsets c using (consumer, topic, partition)
        where consumer = ${consumer} and topic = ${topic} and partition = ${partition} order by first_offset desc`;
      return newestRun(BigInt(rows[0]?.next ?? 0), rows);
    },

    /**
     * Moves a partition back to `to`; `fingerprint` is that of the record before. Raises the epoch and returns it, also if the move
     * was made before; null if another process has taken the partition over.
     */
    async rewind(
      consumer: string,
      topic: string,
      rewind: { partition: number; epoch: number; from: bigint; to: bigint; fingerprint: number },
    ): Promise<number | null> {
      const { partition, epoch, fingerprint } = rewind;
      const [from, to] = [String(rewind.from), String(rewind.to)];
      const moved = await sql<{ epoch: number }[]>`
        with moved as (
          update consumer_offsets set next_offset = ${to}::bigint, fingerprint = ${fingerprint}::bigint, epoch = epoch + 1
          where consumer = ${consumer} and topic = ${topic} and partition = ${partition}
            and epoch = ${epoch}::bigint and next_offset = ${from}::bigint
          returning consumer, topic, partition, epoch
        ), cut as (
          update consumer_checkpoints k set fingerprints =
            substring(k.fingerprints from 1 for greatest(0, (${to}::bigint - k.first_offset) * 4)::integer)
          from moved where k.consumer = moved.consumer and k.topic = moved.topic and k.partition = moved.partition
            and k.first_offset + octet_length(k.fingerprints) / 4 > ${to}::bigint
        )
        select epoch::float8 as epoch from moved`;
      if (moved[0]) return moved[0].epoch;
      const [position] = await read(consumer, topic, [partition]);
      const isDone = position?.epoch === epoch + 1 && position.nextOffset === rewind.to;
      return isDone && position.fingerprint === fingerprint ? position.epoch : null;
    },

    /** Stores the cluster and partitions of a topic that is not stored yet; returns the stored ones. */
    async remember(topic: string, seen: { clusterId: string; partitions: number }) {
      return rememberTopic(sql, topic, seen);
    },
  };
}

/**
 * Ends sessions that block the given session while they wait for their own client: idle in a transaction, or in the middle
 * of a COPY, for which the server has no timeout. Their transactions are rolled back and retried by the next owner.
 */
async function endIdleBlockers(sql: Sql, waiting: number): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from unnest(pg_blocking_pids(${waiting})) as blocking (pid)
    join pg_stat_activity using (pid)
    where wait_event = 'ClientRead' and state_change < clock_timestamp() - interval '2 seconds'`.catch(
    () => undefined,
  );
}

async function rememberTopic(sql: Queryable, topic: string, seen: { clusterId: string; partitions: number }) {
  await sql`insert into bus_topics (topic, cluster_id, partitions)
    values (${topic}, ${seen.clusterId}, ${seen.partitions}) on conflict (topic) do nothing`;
  const [row] = await sql<{ cluster_id: string; partitions: number }[]>`
    select cluster_id, partitions from bus_topics where topic = ${topic}`;
  return { clusterId: row?.cluster_id ?? seen.clusterId, partitions: row?.partitions ?? seen.partitions };
}

// The text of a PostgreSQL array. The driver throws outside of the promise for arrays that it cannot encode.
function list(values: readonly (number | bigint | string)[]): string {
  return `{${values.join(',')}}`;
}

function missing(
  wanted: readonly { partition: number }[],
  found: readonly { partition: number }[],
): number[] {
  const there = new Set(found.map((row) => row.partition));
  return wanted.map(({ partition }) => partition).filter((partition) => !there.has(partition));
}
