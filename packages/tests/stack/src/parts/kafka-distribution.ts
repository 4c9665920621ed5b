import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache.ts';

/** The version of Kafka for tests, from Maven Central. */
export const KAFKA_VERSION = '4.3.1';
const LOG4J_VERSION = '2.25.1';
const FETCH_WITHIN_MS = 300_000;

/** The command that starts a broker: `<java> -cp <libraries>/*`. */
export interface KafkaDistribution {
  java: string;
  libraries: string;
  /** The file of the archive of Kafka's classes, which need not exist: see `classArguments`. */
  classes: string;
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>tidewatch</groupId><artifactId>kafka-distribution</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${KAFKA_VERSION}</version></dependency>
    <dependency><groupId>org.apache.logging.log4j</groupId><artifactId>log4j-slf4j-impl</artifactId><version>${LOG4J_VERSION}</version></dependency>
  </dependencies>
</project>
`;

/** Why this machine cannot run a broker natively, or null: Java 17 or later is required, and Maven at the first use. */
export function kafkaObstacle(): string | null {
  const major = Number(/version "(\d+)/.exec(javaVersion())?.[1] ?? 0);
  if (major < 17) return major === 0 ? 'no Java' : `Java ${major}, Kafka needs 17 or later`;
  if (existsSync(librariesFolder())) return null;
  const maven = spawnSync('mvn', ['-v'], { encoding: 'utf8', timeout: 20_000 });
  return maven.status === 0 ? null : 'no Maven to fetch Kafka with';
}

/** Downloads Kafka's jars through Maven into the cache at the first use (45 MB). Throws with the output of Maven. */
export function fetchKafka(): KafkaDistribution {
  const libraries = librariesFolder();
  if (!existsSync(libraries)) {
    const cache = cacheFolder('kafka');
    const work = mkdtempSync(join(cache, 'fetching-'));
    try {
      writeFileSync(join(work, 'pom.xml'), POM);
      mkdirSync(join(work, 'jars'));
      const goal = 'org.apache.maven.plugins:maven-dependency-plugin:copy-dependencies';
      const done = spawnSync(
        'mvn',
        ['-q', '-B', goal, `-DoutputDirectory=${join(work, 'jars')}`, '-DincludeScope=runtime'],
        { cwd: work, encoding: 'utf8', timeout: FETCH_WITHIN_MS },
      );
      if (done.status !== 0) {
        throw new Error(`Maven could not fetch Kafka ${KAFKA_VERSION}:\n${done.stdout}${done.stderr}`);
      }
      publish(join(work, 'jars'), libraries);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  // An archive serves the Java and the jars that it was recorded with.
  const digest = createHash('sha256').update(javaVersion()).digest('hex').slice(0, 8);
  return { java: 'java', libraries, classes: `${libraries}-java-${digest}.jsa` };
}

let version: string | null = null;
/** What Java says of its version, or an empty text without Java. */
function javaVersion(): string {
  version ??= spawnSync('java', ['-version'], { encoding: 'utf8', timeout: 20_000 }).stderr ?? '';
  return version;
}

function librariesFolder(): string {
  return join(cacheFolder('kafka'), `${KAFKA_VERSION}-log4j-${LOG4J_VERSION}`);
}

/** Moves a download into place. If two runs download at the same time, the second uses the copy of the first. */
function publish(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}
