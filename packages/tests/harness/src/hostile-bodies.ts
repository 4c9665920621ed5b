import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { DAY_MS } from '@tidewatch/contracts/time/duration';

/** A body that is small on the wire and expensive to process. */
export interface HostileBody {
  name: string;
  encoding: 'gzip' | 'br' | 'zstd';
  bytes: Uint8Array<ArrayBuffer>;
  /** True if every payload of the body is valid. */
  valid: boolean;
}

const MEBIBYTE = 1024 * 1024;
const list = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

const quickBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const ENCODE = {
  gzip: (text: string | Buffer) => gzipSync(text),
  br: (text: string | Buffer) => brotliCompressSync(text, quickBrotli),
  zstd: (text: string | Buffer) => zstdCompressSync(text),
};

function metrics(count: number, value: (index: number) => number): string {
  return `{${list(count, (index) => `"m${index}":${value(index)}`).join(',')}}`;
}

/** A body of half a million samples: a thousand payloads of `host` with 512 metrics each, a second apart until `end` (ms). */
function manySamples(host: string, end: number): string {
  const payload = (index: number) => {
    const time = new Date(end - (1_000 - index) * 1_000).toISOString();
    return `{"host":"${host}","timestamp":"${time}","metrics":${metrics(512, (metric) => (index + metric) % 100)}}`;
  };
  return `[${list(1_000, payload).join(',')}]`;
}

/** A body of a thousand payloads of `host`, each on another day until `end` (ms). */
function manyDays(host: string, end: number): string {
  const payload = (index: number) =>
    `{"host":"${host}","timestamp":"${new Date(end - index * DAY_MS).toISOString()}","metrics":{"a":${index}}}`;
  return `[${list(1_000, payload).join(',')}]`;
}

/**
 * Returns bodies of every kind in each encoding that keeps them within the size limit; `host` names the hosts of valid
 * bodies.
 */
export function hostileBodies(host: string, end: number): HostileBody[] {
  const kinds: [name: string, valid: boolean, body: string | Buffer][] = [
    ['a million metric names', false, `{"host":"${host}","metrics":${metrics(1_000_000, () => 1)}}`],
    ['a million names beside', true, `{"host":"${host}","metrics":{},"x":${metrics(1_000_000, () => 1)}}`],
    ['eight million brackets', false, `{"host":"${host}","metrics":{},"x":${'['.repeat(8_000_000)}`],
    [
      'a nesting that is closed',
      true,
      `{"host":"${host}","metrics":{},"x":${'['.repeat(2_000)}${']'.repeat(2_000)}}`,
    ],
    ['sixty-four mebibytes of spaces', false, Buffer.alloc(64 * MEBIBYTE, ' ')],
    ['half a million samples', true, manySamples(`${host}-samples`, end)],
    ['a thousand days', true, manyDays(`${host}-days`, end)],
  ];
  return kinds.flatMap(([name, valid, body]) =>
    (['gzip', 'br', 'zstd'] as const)
      .map((encoding) => ({ name, valid, encoding, bytes: new Uint8Array(ENCODE[encoding](body)) }))
      .filter(({ bytes }) => bytes.length <= MEBIBYTE),
  );
}
