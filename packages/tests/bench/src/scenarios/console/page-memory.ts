import type { Visit } from './browser.ts';

/** A sample is the lowest of so many readings. */
const READINGS = 5;
const BETWEEN_READINGS_MS = 700;

/** The JavaScript heap of a page after garbage collections, and what of it is code that V8 compiled, bytes. */
export interface PageMemory {
  heap: number;
  /** Grows for a long time without a leak, since V8 compiles again what has run often; null where it was not read. */
  code: number | null;
  nodes: number;
  listeners: number;
}

/**
 * Reads the heap several times, each after two garbage collections, and returns the lowest: a page that renders at that moment
 * holds its former elements as well, as more nodes show. Whatever a page really keeps is in every reading.
 */
export async function readMemory(visit: Visit): Promise<PageMemory> {
  let lowest = await readOnce(visit);
  for (let reading = 1; reading < READINGS; reading += 1) {
    await visit.page.waitForTimeout(BETWEEN_READINGS_MS);
    const next = await readOnce(visit);
    if (next.heap < lowest.heap) lowest = next;
  }
  return lowest;
}

/** The same with the size of code, for which the page stands still for seconds. */
export async function readMemoryWithCode(visit: Visit): Promise<PageMemory> {
  const memory = await readMemory(visit);
  return { ...memory, code: await readCode(visit) };
}

async function readOnce({ cdp }: Visit): Promise<PageMemory> {
  await cdp.send('HeapProfiler.enable');
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('Performance.enable');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { heap: of('JSHeapUsedSize'), code: null, nodes: of('Nodes'), listeners: of('JSEventListeners') };
}

/** What a heap snapshot holds, as far as it is read here. Nodes are numbers, as many for each as it has fields. */
interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
}

async function readCode({ cdp }: Visit): Promise<number> {
  const chunks: string[] = [];
  const take = ({ chunk }: { chunk: string }) => void chunks.push(chunk);
  cdp.on('HeapProfiler.addHeapSnapshotChunk', take);
  await cdp.send('HeapProfiler.takeHeapSnapshot', {});
  cdp.off('HeapProfiler.addHeapSnapshotChunk', take);
  return codeIn(JSON.parse(chunks.join('')) as Snapshot);
}

/** The size of everything in a snapshot that is compiled code, bytes. */
export function codeIn({ snapshot: { meta }, nodes }: Snapshot): number {
  const [type, size] = [meta.node_fields.indexOf('type'), meta.node_fields.indexOf('self_size')];
  const code = meta.node_types[0].indexOf('code');
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += meta.node_fields.length)
    if (nodes[at + type] === code) bytes += nodes[at + size] ?? 0;
  return bytes;
}
