import type { Product } from '@tidewatch/harness/product';
import { mebibytes, number, table } from '../report/table.ts';
import type { LoadResult } from '../scenarios/load.ts';
import { type PeerResult, runPeer } from './peer.ts';
import { PEERS } from './peers.ts';

const HEADS = [
  'product',
  'samples',
  'CPU-s a million',
  'ours is × that',
  'samples/s',
  'bytes a sample on disk',
  'peak memory MiB',
  'a sample at the answer',
];

const NOTE =
  "Everything counts until idle. The peers evaluated no rule. Their samples a second are bounded by our sender, whose CPU does not count; ours by the generator's sharing the processors. Memory: ours is Pss of all processes, theirs RSS.";

/** The table of results, Tidewatch first. Figures of a peer that did not store every sample are void. */
function peerTable(results: readonly PeerResult[], ours: LoadResult): string {
  const { samples, cpu, generator, bytes, memory } = ours;
  const perMillion = cpu.settled / (samples / 1e6);
  const first = [
    'Tidewatch, 100 rules evaluated',
    number(samples),
    number(perMillion, 2),
    '',
    number(samples / generator.measured.seconds),
    `${number(bytes.all / samples, 1)}; with its log ${number(bytes.directory / samples, 1)}`,
    mebibytes((memory.node?.peak ?? 0) + (memory.postgres?.peak ?? 0)),
    'fsync, rules evaluated',
  ];
  const rows = results.map(({ name, durability, ...result }) => {
    if (result.figures === null) return [name, result.absent];
    const { version, seconds, differences, cpuSeconds } = result.figures;
    const theirs = cpuSeconds / (result.figures.samples / 1e6);
    return [
      `${name} (${version})`,
      differences.length === 0 ? number(result.figures.samples) : 'VOID: not all there',
      number(theirs, 2),
      number(perMillion / theirs, 2),
      number(result.figures.samples / seconds),
      number(result.figures.bytes / result.figures.samples, 1),
      mebibytes(Math.max(0, ...result.figures.memory.processes.map(({ peak }) => peak))),
      durability,
    ];
  });
  const faults = results.flatMap(({ figures }) => figures?.differences ?? []);
  return `${table(HEADS, [first, ...rows])}\n\n${NOTE}\n${faults.join('\n')}`;
}

/** Stops the product, sends every sample that it acknowledged to each peer in turn, and prints the costs of each. */
export async function comparePeers(
  product: Product,
  result: LoadResult,
  print: (text: string) => void,
): Promise<PeerResult[]> {
  await product.stop();
  const results: PeerResult[] = [];
  for (const peer of PEERS) results.push(await runPeer(peer, result.order.plan, result.generator.ledger));
  print(`\n${peerTable(results, result)}`);
  return results;
}

export function peerDocument(results: readonly PeerResult[], result: LoadResult) {
  const ours = result.cpu.settled / (result.samples / 1e6);
  return results.map(({ name, durability, ...rest }) => {
    if (rest.figures === null) return { name, durability, absent: rest.absent };
    const perMillion = rest.figures.cpuSeconds / (rest.figures.samples / 1e6);
    return {
      name,
      durability,
      ...rest.figures,
      cpuSecondsPerMillion: perMillion,
      oursTimesTheirs: ours / perMillion,
    };
  });
}
