import { createProduct, type Product } from '@tidewatch/testkit/product';
import { type BenchOptions, readOptions, USAGE } from './options.ts';
import { type PeerResult, runPeer } from './peers/peer.ts';
import { PEERS } from './peers/peers.ts';
import { hostileTable, killTable, listTable, loadTable, machine, peerTable } from './report.ts';
import { runHostile } from './scenarios/hostile.ts';
import { runKills } from './scenarios/kill.ts';
import { runLists } from './scenarios/lists.ts';
import { type Freshness, livePlan, probe } from './scenarios/live.ts';
import { isValid, type LoadResult, replayPlan, runLoad } from './scenarios/replay.ts';

const SAMPLES_PER_SECOND = { replay: 400_000, rich: 40_000, single: 40_000 };

/** Runs the scenario on a product that is up; answers false where the figures do not count. */
async function runScenario(product: Product, options: BenchOptions): Promise<boolean> {
  const { scenario, seconds } = options;
  if (scenario === 'lists') {
    const { timings, peaks } = await runLists(product);
    print(listTable(timings, peaks));
    return true;
  }
  if (scenario === 'hostile') {
    const { rounds, peaks } = await runHostile(product);
    print(hostileTable(rounds, peaks));
    return true;
  }
  if (scenario === 'kill') {
    const samples = seconds * SAMPLES_PER_SECOND.replay;
    return runKills(product, options.kills, samples, Math.random, (round) =>
      print(killTable(round, options.kills)),
    );
  }
  let freshness: Freshness | undefined;
  let result: LoadResult;
  if (scenario === 'live') {
    result = await runLoad(product, livePlan(seconds, Date.now()), async (api, ended) => {
      freshness = await probe(api, ended);
    });
  } else {
    result = await runLoad(product, replayPlan(scenario, seconds * SAMPLES_PER_SECOND[scenario], Date.now()));
  }
  print(loadTable(result, freshness));
  if (options.peers) await comparePeers(product, result);
  return isValid(result);
}

async function comparePeers(product: Product, result: LoadResult): Promise<void> {
  await product.stop();
  const results: PeerResult[] = [];
  for (const peer of PEERS)
    results.push(await runPeer(peer, result.plan, peer.programs.includes('influxd') ? 8086 : 18_428));
  print(peerTable(results, result.cpuSeconds / (result.samples / 1e6)));
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    print(USAGE);
    return 0;
  }
  const product = await createProduct({ TIDEWATCH_RATE_LIMIT_PER_MINUTE: '100000000' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void product.remove().finally(() => process.exit(1)));
  }
  try {
    await product.start();
    print(`${options.scenario}, ${machine()}, ${new Date().toISOString()}\n`);
    return (await runScenario(product, options)) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${product.output()}\n`);
    throw error;
  } finally {
    await product.remove();
  }
}

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`${error.stack ?? error.message}\n`);
  return 1;
});
