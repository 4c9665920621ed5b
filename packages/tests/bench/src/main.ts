import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createProduct, createStack, type Product } from '@tidewatch/harness/product';
import { KAFKA_VERSION } from '@tidewatch/stack/parts/kafka-distribution';
import { openAdmin, serverVersion } from './database.ts';
import { INSPECTED } from './measure/heap.ts';
import { describeMachine, machineLine } from './measure/machine.ts';
import { type BenchOptions, OptionError, readOptions, type Scenario, USAGE } from './options.ts';
import { type PeerResult, runPeer } from './peers/peer.ts';
import { PEERS } from './peers/peers.ts';
import { deliveryTable, isDelivered } from './report/delivery-table.ts';
import { loadDocument, peerDocument } from './report/document.ts';
import { eventsTable, isEventsValid } from './report/events-table.ts';
import { flushTable } from './report/flush-table.ts';
import { hostileTable } from './report/hostile-table.ts';
import { investigationTable } from './report/investigation-table.ts';
import { keyTable } from './report/key-table.ts';
import { killTable } from './report/kill-table.ts';
import { listTable } from './report/list-table.ts';
import { loadTable } from './report/load-table.ts';
import { arePairsRight, pairsTable } from './report/pairs-table.ts';
import { peerTable } from './report/peer-table.ts';
import { previewTable } from './report/preview-table.ts';
import { readingTable } from './report/reading-table.ts';
import { scalingTable, scalingVerdict } from './report/scaling-table.ts';
import { isStormTold, stormTable } from './report/storm-table.ts';
import { type Delivery, probeDelivery } from './scenarios/delivery.ts';
import { runEvents } from './scenarios/events.ts';
import { runFlush } from './scenarios/flush.ts';
import { runHostile } from './scenarios/hostile.ts';
import { runInvestigations } from './scenarios/investigation.ts';
import { runKeys } from './scenarios/keys.ts';
import { runKills } from './scenarios/kill.ts';
import { runLists } from './scenarios/lists.ts';
import { LIVE_RATE, liveLoad } from './scenarios/live.ts';
import { isValid, type LoadResult, runLoad } from './scenarios/load.ts';
import { runPairs } from './scenarios/pairs.ts';
import { runPreview } from './scenarios/preview.ts';
import { type Freshness, probe } from './scenarios/probe.ts';
import { runReading } from './scenarios/reading.ts';
import { replayLoad } from './scenarios/replay.ts';
import { isScalingValid, runScaling } from './scenarios/scaling.ts';
import { runStorm } from './scenarios/storm.ts';

/** What a scenario leaves: whether its figures count, and they themselves for JSON. */
interface Outcome {
  valid: boolean;
  figures: unknown;
}

/** Events a second that streams are held to. */
const EVENT_RATE = 100;
/** Samples a second by which a consumer shows what it costs, and less than the gateways take. */
const SCALING_RATE = 450_000;

/** Runs the scenario on a product that is up and prints its table. */
async function runScenario(
  product: Product,
  scenario: Exclude<Scenario, 'flush'>,
  options: BenchOptions,
): Promise<Outcome> {
  const { seconds, rate } = options;
  if (scenario === 'lists') {
    const result = await runLists(product);
    print(listTable(result));
    return { valid: true, figures: { ...result, peaks: Object.fromEntries(result.peaks) } };
  }
  if (scenario === 'pairs') {
    const result = await runPairs(product, options.pairs);
    print(pairsTable(result));
    return { valid: arePairsRight(result), figures: result };
  }
  if (scenario === 'preview') {
    const result = await runPreview(product, options.hosts);
    print(previewTable(result));
    return { valid: true, figures: { ...result, peaks: Object.fromEntries(result.peaks) } };
  }
  if (scenario === 'storm') {
    const result = await runStorm(product, options.hosts);
    print(stormTable(result));
    return { valid: isStormTold(result), figures: { ...result, peaks: Object.fromEntries(result.peaks) } };
  }
  if (scenario === 'investigation') {
    const result = await runInvestigations(product, options.hosts);
    print(investigationTable(result));
    return { valid: true, figures: result };
  }
  if (scenario === 'events') {
    const load = { readers: options.readers, rate: EVENT_RATE, seconds };
    const result = await runEvents(product, load);
    print(eventsTable(result));
    return { valid: isEventsValid(result), figures: result };
  }
  if (scenario === 'keys') {
    const result = await runKeys(product, options.keys, seconds);
    print(keyTable(result));
    return { valid: true, figures: result };
  }
  if (scenario === 'reading') {
    const result = await runReading(product);
    print(readingTable(result));
    return { valid: true, figures: result };
  }
  if (scenario === 'hostile') {
    const { rounds, peaks } = await runHostile(product);
    print(hostileTable(rounds, peaks));
    return { valid: true, figures: { rounds, peaks: Object.fromEntries(peaks) } };
  }
  if (scenario === 'kill') {
    const figures: unknown[] = [];
    const valid = await runKills(product, options.kills, Math.random, (round) => {
      print(killTable(round, options.kills));
      figures.push(round);
    });
    return { valid, figures };
  }
  if (scenario === 'scaling') {
    const outcome = await runScaling(product, options.consumer, rate ?? SCALING_RATE, (result) =>
      print(scalingTable(result)),
    );
    print(scalingVerdict(outcome));
    return { valid: isScalingValid(outcome), figures: outcome };
  }
  if (scenario === 'delivery') {
    let delivery: Delivery | undefined;
    const load = liveLoad(seconds, Date.now(), rate ?? LIVE_RATE);
    const result = await runLoad(product, load, async (api, ended) => {
      delivery = await probeDelivery(api, seconds, ended);
    });
    if (delivery === undefined) throw new Error('the load ended before any host could breach');
    print(`${deliveryTable(delivery)}\n\n${loadTable(result, undefined)}`);
    const figures = { ...loadDocument(result, undefined), delivery };
    return { valid: isValid(result) && isDelivered(delivery), figures };
  }
  let freshness: Freshness | undefined;
  let result: LoadResult;
  if (scenario === 'live') {
    result = await runLoad(product, liveLoad(seconds, Date.now()), async (api, ended) => {
      freshness = await probe(api, ended);
    });
  } else {
    result = await runLoad(product, {
      ...replayLoad(scenario, seconds, rate, Date.now()),
      rules: options.rules,
    });
  }
  print(loadTable(result, freshness));
  const figures = loadDocument(result, freshness);
  if (!options.peers) return { valid: isValid(result), figures };
  const peers = await comparePeers(product, result);
  return {
    valid: isValid(result) && peers.every((peer) => (peer.figures?.differences.length ?? 0) === 0),
    figures: { ...figures, peers: peerDocument(peers, result) },
  };
}

async function comparePeers(product: Product, result: LoadResult): Promise<PeerResult[]> {
  await product.stop();
  const results: PeerResult[] = [];
  for (const peer of PEERS) results.push(await runPeer(peer, result.order.plan, result.generator.ledger));
  print(`\n${peerTable(results, result)}`);
  return results;
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
  const file = options.json === null ? null : resolve(process.env.INIT_CWD ?? '.', options.json);
  if (file !== null) claim(file);
  const startedAt = new Date().toISOString();
  const { scenario } = options;
  if (scenario === 'flush') {
    const { machine, ...figures } = await runFlush(options);
    print(`flush, Kafka ${KAFKA_VERSION}, ${startedAt}\n${machineLine(machine)}\n\n${flushTable(figures)}`);
    if (file !== null) writeFigures(file, { options, startedAt, machine, valid: true, figures });
    return 0;
  }
  const settings = {
    TIDEWATCH_RATE_LIMIT_PER_MINUTE: '100000000',
    TIDEWATCH_CONNECTIONS_PER_ADDRESS: '16384',
    ...(options.scenario === 'pairs' && INSPECTED),
    ...(['delivery', 'storm'].includes(options.scenario) && {
      TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS: '127.0.0.1',
    }),
  };
  const isRestarted = options.scenario === 'pairs';
  const distributed = options.topology === 'distributed';
  const product = await (distributed
    ? createStack(isRestarted ? [] : ['--no-restart'], settings)
    : createProduct(settings));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void product.remove().finally(() => process.exit(1)));
  }
  try {
    const loaded = describeMachine(product.dataDir, '');
    await product.start();
    const machine = { ...loaded, postgres: await postgresVersion(product) };
    print(`${options.scenario}, ${options.topology}, ${startedAt}\n${machineLine(machine)}\n`);
    const { valid, figures } = await runScenario(product, scenario, options);
    if (file !== null) writeFigures(file, { options, startedAt, machine, valid, figures });
    return valid ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${product.output()}\n`);
    throw error;
  } finally {
    await product.remove();
  }
}

async function postgresVersion(product: Product): Promise<string> {
  const admin = openAdmin(product.dataDir);
  try {
    return await serverVersion(admin.sql);
  } finally {
    await admin.close();
  }
}

function writeFigures(file: string, document: object): void {
  writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
}

/** Finds out now, and not after minutes of measuring, whether the file can be written. */
function claim(file: string): void {
  try {
    writeFileSync(file, '');
  } catch (error) {
    throw new OptionError(`--json: ${error instanceof Error ? error.message : error}`);
  }
}

process.exitCode = await main().catch((error: Error) => {
  const known = error instanceof OptionError;
  process.stderr.write(
    `${known ? `${error.message}\nSee npm run bench -- --help` : (error.stack ?? error.message)}\n`,
  );
  return known ? 2 : 1;
});
