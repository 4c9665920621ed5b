import { setTimeout as sleep } from 'node:timers/promises';
import { cpuByName } from '@tidewatch/harness/process-tree';
import type { Product } from '@tidewatch/harness/product';
import { appendEvents } from '@tidewatch/store/outbox/append';
import { openAdmin } from '../database.ts';
import { openStreamReader, type StreamReader } from '../load/stream-reader.ts';
import { summarise } from '../measure/percentile.ts';
import { figureTable, number, type Row } from '../report/table.ts';
import type { Scenario } from '../scenario.ts';

interface EventsLoad {
  readers: number;
  /** Events a second. */
  rate: number;
  seconds: number;
}

type EventsResult = Awaited<ReturnType<typeof runEvents>>;

const OPENED_AT_ONCE = 50;
const TICK_MS = 10;
const SETTLE_MS = 3_000;

/** The rate of events that is measured, a second. */
const EVENT_RATE = 100;

export const events: Scenario = {
  measures: '1,000 streams of events and 100 events a second: how long events take, and what it costs',
  options: ['seconds', 'readers'],
  topologies: ['embedded', 'distributed'],
  async run(product, { readers, seconds }, print) {
    const figures = await runEvents(product, { readers, rate: EVENT_RATE, seconds });
    print(eventsTable(figures));
    return { valid: isEventsValid(figures), figures };
  },
};

/** Many readers follow events at a steady pace; the events are written directly into the outbox, as services do. */
async function runEvents(product: Product, load: EventsLoad) {
  const admin = openAdmin(product.dataDir);
  const readers: StreamReader[] = [];
  try {
    const [organization] = await admin.sql<
      { id: string }[]
    >`select id from organizations order by id limit 1`;
    const organizationId = organization?.id ?? '';
    const writtenAt: number[] = [];
    const latencies: number[] = [];
    const options = {
      url: `${product.url}/api/v1/events?types=rule.updated`,
      key: product.key,
      onEvent: (index: number) => latencies.push(performance.now() - (writtenAt[index] ?? 0)),
    };
    while (readers.length < load.readers) {
      const count = Math.min(OPENED_AT_ONCE, load.readers - readers.length);
      readers.push(...(await Promise.all(Array.from({ length: count }, () => openStreamReader(options)))));
    }
    const before = cpuByName(product.pid());
    const began = performance.now();
    for (let due = 0; performance.now() - began < load.seconds * 1_000; ) {
      due = Math.floor(((performance.now() - began) / 1_000) * load.rate);
      const entries = [];
      while (writtenAt.length < due) {
        entries.push({ organizationId, event: eventOf(organizationId, writtenAt.length) });
        writtenAt.push(performance.now());
      }
      await appendEvents(admin.sql, entries);
      await sleep(TICK_MS);
    }
    const seconds = (performance.now() - began) / 1_000;
    const after = cpuByName(product.pid());
    const isDone = () => readers.every((reader) => reader.count() >= writtenAt.length);
    for (const until = performance.now() + SETTLE_MS; !isDone() && performance.now() < until; )
      await sleep(50);
    const counts = readers.map((reader) => reader.count());
    return {
      load,
      sent: writtenAt.length,
      // Both equal `sent` if no event was lost.
      fewest: Math.min(...counts),
      most: Math.max(...counts),
      outOfOrder: readers.reduce((sum, reader) => sum + reader.outOfOrder(), 0),
      /** From an event's transaction to its arrival at a reader, ms. */
      latency: summarise(latencies),
      // The median number of reads in which a reader received its events.
      pieces: summarise(readers.map((reader) => reader.pieces())).p50,
      processors: [...after]
        .map(([name, cpu]) => ({ name, share: (cpu - (before.get(name) ?? 0)) / seconds }))
        .filter(({ share }) => share >= 0.005)
        .toSorted((a, b) => b.share - a.share),
    };
  } finally {
    for (const reader of readers) reader.close();
    await admin.close();
  }
}

/** An event of usual size whose id contains its number. */
function eventOf(organizationId: string, index: number): object {
  const id = `evt_${index.toString(16).padStart(32, '0')}`;
  const rule = {
    id: `rul_${'0'.repeat(32)}`,
    name: 'CPU above 90 percent for five minutes',
    metric: 'cpu_percent',
    severity: 'warning',
    enabled: true,
    version: index + 1,
    external_id: null,
  };
  return {
    specversion: '1.0',
    id,
    source: `/tidewatch/${organizationId}`,
    type: 'rule.updated',
    subject: rule.id,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    data: { rule },
  };
}

function eventsTable({ load, sent, fewest, most, outOfOrder, ...result }: EventsResult): string {
  const { p50, p99, max } = result.latency;
  const rows: Row[] = [
    [
      'readers, events a second, seconds',
      [load.readers, load.rate, load.seconds].map((n) => number(n)).join(', '),
    ],
    ['events sent', number(sent)],
    ['fewest and most that a reader got', `${number(fewest)}, ${number(most)}`],
    ['out of order', number(outOfOrder)],
    ['from stored to read: p50, p99, longest', `${number(p50)}, ${number(p99)}, ${number(max)} ms`],
    ['times that a reader got some, by median', number(result.pieces)],
    ...result.processors.map(({ name, share }): Row => [`processors: ${name}`, number(share, 2)]),
  ];
  return figureTable(rows, ['event streams', 'figure']);
}

/** Returns true if every reader received every event once and in order. */
function isEventsValid({ sent, fewest, most, outOfOrder }: EventsResult): boolean {
  return sent > 0 && fewest === sent && most === sent && outOfOrder === 0;
}
