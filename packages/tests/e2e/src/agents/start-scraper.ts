import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { adapt, blockOf, type RunningAgent, startAgent } from './real-agent.ts';

/** The agents of Debian that read exporters and send by remote write. */
export type ScraperName = 'prometheus' | 'vmagent';

export interface ScraperOptions {
  /** Where its configuration, its data and its log are, and the file `key` with the key. */
  folder: string;
  /** The address of Tidewatch. */
  url: string;
  exporterPort: number;
  /** The name of the host that the exporter is of. */
  host: string;
}

/** Starts a program of this name by the configuration that its guide prints, with these addresses, reading every 2 s. */
export async function startScraper(
  name: ScraperName,
  program: string,
  { folder, url, exporterPort, host }: ScraperOptions,
): Promise<RunningAgent> {
  const targets = { "'10.0.0.7:9100'": `'localhost:${exporterPort}'`, 'host: web-01': `host: ${host}` };
  const scrape = `global: { scrape_interval: 2s }\n${adapt(blockOf('prometheus.md', 'yaml', 1), targets)}`;
  const key = join(folder, 'key');
  const port = await freePort();
  if (name === 'prometheus') {
    const changes = { 'https://monitor.example': url, '/etc/prometheus/tidewatch-key': key };
    writeFileSync(join(folder, 'prometheus.yml'), scrape + adapt(blockOf('prometheus.md', 'yaml'), changes));
    const args = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`];
    return startAgent(program, [...args, `--web.listen-address=127.0.0.1:${port}`], folder);
  }
  writeFileSync(join(folder, 'prometheus.yml'), scrape);
  const changes = { 'https://monitor.example': url, '/etc/vmagent/tidewatch-key': key };
  const [, ...args] = adapt(blockOf('vmagent.md', 'sh'), changes).replaceAll('\\\n', ' ').trim().split(/\s+/);
  const own = [`-httpListenAddr=127.0.0.1:${port}`, `-remoteWrite.tmpDataPath=${folder}/queue`];
  return startAgent(program, [...args, ...own], folder);
}
