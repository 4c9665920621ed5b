import { hostName, metricName, type Plan } from '../load/plan.ts';
import type { PlannedPayload } from '../load/sequence.ts';
import { snappyLiterals, varint } from './snappy.ts';

/** Encodes the payloads of one request; each connection has an encoder of its own. */
export interface Encoder {
  add(payload: PlannedPayload): void;
  /** Returns the body with all payloads that were added since the last call. */
  take(): Uint8Array | string;
}

/** Encodes Influx line protocol; `perMillisecond` is appended to times in ms: nothing, or six zeros for nanoseconds. */
export function createLineEncoder(plan: Plan, perMillisecond: '' | '000000'): Encoder {
  const names = Array.from({ length: plan.metrics }, (_, index) => metricName(index));
  let text = '';
  return {
    add({ host, time, values }) {
      text += `host,host=${hostName(host)} `;
      for (let index = 0; index < names.length; index += 1)
        text += `${index === 0 ? '' : ','}${names[index]}=${(values[index] as number) / 100}`;
      text += ` ${time}${perMillisecond}\n`;
    },
    take() {
      const body = text;
      text = '';
      return body;
    },
  };
}

/**
 * Encodes Prometheus remote write 1.0. Samples of the same series share one TimeSeries, so that the receiver looks its
 * labels up once.
 */
export function createRemoteWriteEncoder(plan: Plan): Encoder {
  const open = new Map<number, { labels: Buffer; samples: Buffer[] }>();
  const labels = new Map<number, Buffer>();

  function labelsOf(key: number): Buffer {
    let bytes = labels.get(key);
    if (bytes === undefined) {
      const name = metricName(key % plan.metrics);
      bytes = Buffer.concat([
        label('__name__', name),
        label('host', hostName(Math.floor(key / plan.metrics))),
      ]);
      labels.set(key, bytes);
    }
    return bytes;
  }

  return {
    add({ host, time, values }) {
      const tail = Buffer.concat([Buffer.from([0x10]), varint(time)]);
      for (let index = 0; index < values.length; index += 1) {
        const key = host * plan.metrics + index;
        const sample = Buffer.allocUnsafe(11 + tail.length);
        sample[0] = 0x12; // field 2, a Sample of so many bytes
        sample[1] = 9 + tail.length;
        sample[2] = 0x09; // its field 1, a double
        sample.writeDoubleLE((values[index] as number) / 100, 3);
        tail.copy(sample, 11);
        const series = open.get(key);
        if (series === undefined) open.set(key, { labels: labelsOf(key), samples: [sample] });
        else series.samples.push(sample);
      }
    },
    take() {
      const parts: Buffer[] = [];
      for (const series of open.values()) {
        const length = series.samples.reduce((sum, sample) => sum + sample.length, series.labels.length);
        parts.push(Buffer.from([0x0a]), varint(length), series.labels, ...series.samples);
      }
      open.clear();
      return snappyLiterals(Buffer.concat(parts));
    },
  };
}

function label(name: string, value: string): Buffer {
  return field(1, Buffer.concat([field(1, Buffer.from(name)), field(2, Buffer.from(value))]));
}

function field(number: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2]), varint(body.length), body]);
}
