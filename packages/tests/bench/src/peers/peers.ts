import type { Plan } from '../load/plan.ts';
import { createLineEncoder, createRemoteWriteEncoder, type Encoder } from './encode.ts';
import { countInflux, countPrometheus, type MetricTotals } from './totals.ts';

/** Another monitoring product that receives the same samples in its own format, for comparison. */
export interface Peer {
  name: string;
  /** How durable a sample is when the peer responds, with default settings. */
  durability: string;
  /** The names under which the program may be installed. */
  programs: string[];
  versionArgs: string[];
  /** The number of payloads in a request; null for the same number as Tidewatch gets. */
  payloadsPerRequest: number | null;
  start(folder: string, ports: readonly [number, number]): { args: string[]; env?: Record<string, string> };
  /** A path that answers 2xx once the peer is ready. */
  readyPath: string;
  /** A path that is called before samples are sent, for example to create a database. */
  preparePath?: string;
  path: string;
  headers: Record<string, string>;
  encoder(plan: Plan): Encoder;
  /** Reads the count and sum of one metric's samples from `startMs` to `endMs`, both included. */
  totals(url: string, metric: string, startMs: number, endMs: number): Promise<MetricTotals>;
}

const VICTORIA_METRICS = {
  durability: 'in memory; written to disk within seconds, no log',
  programs: ['victoria-metrics', 'victoria-metrics-prod'],
  versionArgs: ['-version'],
  payloadsPerRequest: null,
  start: (folder: string, [port]: readonly [number, number]) => ({
    args: [`-storageDataPath=${folder}/data`, `-httpListenAddr=127.0.0.1:${port}`],
  }),
  readyPath: '/health',
  headers: {},
};

const LINES = {
  path: '/write?precision=ms',
  encoder: (plan: Plan) => createLineEncoder(plan, ''),
  totals: (url: string, metric: string, startMs: number, endMs: number) =>
    countPrometheus(url, `host_${metric}`, startMs, endMs),
};

const REMOTE_WRITE = {
  path: '/api/v1/write',
  headers: {
    'content-type': 'application/x-protobuf',
    'content-encoding': 'snappy',
    'x-prometheus-remote-write-version': '0.1.0',
  },
  encoder: createRemoteWriteEncoder,
  totals: countPrometheus,
};

const INFLUX = {
  programs: ['influxd'],
  versionArgs: ['version'],
  payloadsPerRequest: null,
  readyPath: '/ping',
  preparePath: '/query?q=CREATE%20DATABASE%20bench',
  path: '/write?db=bench&precision=ns',
  headers: {},
  encoder: (plan: Plan) => createLineEncoder(plan, '000000'),
  totals: countInflux,
};

function startInflux(folder: string, [port, other]: readonly [number, number]) {
  return {
    args: ['run'],
    env: {
      INFLUXDB_META_DIR: `${folder}/meta`,
      INFLUXDB_DATA_DIR: `${folder}/data`,
      INFLUXDB_DATA_WAL_DIR: `${folder}/wal`,
      INFLUXDB_HTTP_BIND_ADDRESS: `127.0.0.1:${port}`,
      INFLUXDB_BIND_ADDRESS: `127.0.0.1:${other}`,
      INFLUXDB_REPORTING_DISABLED: 'true',
    },
  };
}

/**
 * The products for comparison. They run with default settings except for addresses and directories, unless the name says
 * otherwise.
 */
export const PEERS: readonly Peer[] = [
  { name: 'VictoriaMetrics, Influx line', ...VICTORIA_METRICS, ...LINES },
  {
    name: 'VictoriaMetrics, Influx line, 1,000 payloads a request',
    ...VICTORIA_METRICS,
    ...LINES,
    payloadsPerRequest: 1_000,
  },
  { name: 'VictoriaMetrics, remote write', ...VICTORIA_METRICS, ...REMOTE_WRITE },
  {
    name: 'Prometheus, remote write',
    durability: 'written to its log, without fsync',
    programs: ['prometheus'],
    versionArgs: ['--version'],
    payloadsPerRequest: null,
    start: (folder, [port]) => ({
      args: [
        '--config.file=/dev/null',
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--web.enable-remote-write-receiver',
      ],
    }),
    readyPath: '/-/ready',
    ...REMOTE_WRITE,
  },
  { name: 'InfluxDB 1.x, line', durability: 'fsync of its log', start: startInflux, ...INFLUX },
  {
    name: 'InfluxDB 1.x, line, wal-fsync-delay 1s',
    durability: 'written to its log, without fsync',
    ...INFLUX,
    start: (folder, ports) => {
      const { args, env } = startInflux(folder, ports);
      return { args, env: { ...env, INFLUXDB_DATA_WAL_FSYNC_DELAY: '1s' } };
    },
  },
];
