import type { Peer, Point } from './peer.ts';
import { encodeRemoteWrite } from './remote-write.ts';

/** Influx line protocol with times in the unit of `perMillisecond` (1 or a million for nanoseconds). */
export function encodeLines(points: readonly Point[], perMillisecond: '' | '000000'): string {
  let text = '';
  for (const { host, time, names, values } of points) {
    text += `host,host=${host} `;
    for (let index = 0; index < names.length; index += 1)
      text += `${index === 0 ? '' : ','}${names[index]}=${(values[index] as number) / 100}`;
    text += ` ${time}${perMillisecond}\n`;
  }
  return text;
}

export const PEERS: readonly Peer[] = [
  {
    name: 'VictoriaMetrics, Influx line',
    programs: ['victoria-metrics', 'victoria-metrics-prod'],
    args: (folder, port) => [`-storageDataPath=${folder}/data`, `-httpListenAddr=127.0.0.1:${port}`],
    readyPath: '/health',
    path: '/write?precision=ms',
    headers: {},
    encode: (points) => encodeLines(points, ''),
  },
  {
    name: 'Prometheus, remote write',
    programs: ['prometheus'],
    args: (folder, port) => [
      '--config.file=/dev/null',
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--web.enable-remote-write-receiver',
    ],
    readyPath: '/-/ready',
    path: '/api/v1/write',
    headers: {
      'content-type': 'application/x-protobuf',
      'content-encoding': 'snappy',
      'x-prometheus-remote-write-version': '0.1.0',
    },
    encode: encodeRemoteWrite,
  },
  {
    name: 'InfluxDB 1.x, line',
    programs: ['influxd'],
    args: () => ['run'],
    readyPath: '/ping',
    preparePath: '/query?q=CREATE%20DATABASE%20bench',
    path: '/write?db=bench&precision=ns',
    headers: {},
    encode: (points) => encodeLines(points, '000000'),
  },
];
