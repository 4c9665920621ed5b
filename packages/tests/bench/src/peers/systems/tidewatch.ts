import { cpuSeconds } from '@tidewatch/harness/process-tree';
import { createProduct } from '@tidewatch/harness/product';
import { readSampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { createApi, listAll } from '../../api.ts';
import { diskBytes, serverVersion, settle, withAdmin } from '../../database.ts';
import { createBodyBuilder } from '../../load/body.ts';
import { folderBytes } from '../../measure/folder-bytes.ts';
import { watchMemory } from '../../measure/memory.ts';
import { PRODUCT_SETTINGS } from '../../product-settings.ts';
import { createPlannedRules } from '../../rules.ts';
import { openHttpClient } from '../http-client.ts';
import { askTidewatch, parseTidewatch } from '../questions/tidewatch-api.ts';
import { alertName, type ComparedSystem, type RuleSet, type RunningSystem } from '../system.ts';
import { compareTotals, countTidewatch } from '../totals.ts';

const REST_WITHIN_MS = 600_000;

async function start(ruleSet: RuleSet | null): Promise<RunningSystem> {
  const product = await createProduct(PRODUCT_SETTINGS);
  try {
    await product.start();
  } catch (error) {
    await product.remove();
    throw error;
  }
  const api = createApi(product.url, product.key);
  const http = openHttpClient(product.url, { 'x-api-key': product.key });
  const memory = watchMemory(product.pid);
  const ids = new Map<string, string>();
  // Alerts of this severity are not investigated, which no other product does.
  if (ruleSet !== null) await createPlannedRules(api, ruleSet.rules, () => 'info');
  const used = () => cpuSeconds(product.pid());
  return {
    version: await withAdmin(product.dataDir, async (sql) => {
      return `PostgreSQL ${await serverVersion(sql)}, layout ${await readSampleLayout(sql)}`;
    }),
    http,
    ingest: { path: '/api/v1/ingest', headers: { 'content-type': 'application/json' } },
    encoder(plan) {
      const build = createBodyBuilder(plan);
      let payloads: string[] = [];
      return {
        add: (payload) => payloads.push(build(payload)),
        take() {
          const body = `[${payloads.join(',')}]`;
          payloads = [];
          return body;
        },
      };
    },
    cpuSeconds: used,
    peakBytes() {
      const { node, postgres } = memory.report();
      return (node?.peak ?? 0) + (postgres?.peak ?? 0);
    },
    // Every sample is evaluated as it is stored, so that no round can be missed.
    evaluations: async () => null,
    async firing() {
      const alerts = await listAll<{ rule_name: string; host: string }>(
        api,
        '/alerts?status=active',
        'alerts',
      );
      return new Set(alerts.map(({ rule_name, host }) => alertName(rule_name, host)));
    },
    async rest() {
      const rested = await settle(product.dataDir, Date.now(), () => ({ total: used() }), REST_WITHIN_MS);
      return rested.used.total;
    },
    async bytes() {
      const { all } = await withAdmin(product.dataDir, diskBytes);
      return { data: all, withLog: folderBytes(product.dataDir) };
    },
    compare: (plan, ledger) => compareTotals(http, countTidewatch, plan, ledger),
    async ask(question) {
      if (ids.size === 0)
        for (const { id, name } of await listAll<{ id: string; name: string }>(api, '/services', 'services'))
          ids.set(name, id);
      return askTidewatch(http, ids, question);
    },
    parse: parseTidewatch,
    async remove() {
      memory.stop();
      http.close();
      await product.remove();
    },
  };
}

export const tidewatch: ComparedSystem = {
  id: 'tidewatch',
  title: 'Tidewatch',
  durability: 'fsync of the log before the answer',
  evaluator: 'Tidewatch, each sample in the transaction that stores it',
  obstacle: () => null,
  start,
};
