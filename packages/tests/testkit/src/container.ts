import { randomBytes } from 'node:crypto';
import { AbstractStartedContainer, GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';

const PORT = 8230;
const START_WITHIN_MS = 180_000;
const SHARED_MEMORY_BYTES = 256 * 1024 * 1024;

/**
 * A Tidewatch in one container with its own PostgreSQL and without rules. `image` is built by
 * `deploy/standalone.Dockerfile`; settings are passed by `withEnvironment`.
 */
export class TidewatchContainer extends GenericContainer {
  readonly #key: string = `testkit-${randomBytes(24).toString('hex')}`;

  constructor(image: string) {
    super(image);
    this.withExposedPorts(PORT)
      .withSharedMemorySize(SHARED_MEMORY_BYTES)
      .withWaitStrategy(Wait.forHttp('/readyz', PORT).forStatusCode(200))
      .withStartupTimeout(START_WITHIN_MS)
      .withEnvironment({
        TIDEWATCH_HOST: '0.0.0.0',
        TIDEWATCH_PORT: String(PORT),
        TIDEWATCH_BOOTSTRAP_KEY: this.#key,
        TIDEWATCH_LOCAL_AGENT: 'off',
        TIDEWATCH_STARTER_RULES: 'off',
      });
  }

  /** Starts the container; resolves once Tidewatch accepts requests. */
  override async start(): Promise<StartedTidewatchContainer> {
    return new StartedTidewatchContainer(await super.start(), this.#key);
  }
}

/** A started container whose Tidewatch accepts requests. */
export class StartedTidewatchContainer extends AbstractStartedContainer {
  readonly #key: string;

  constructor(container: StartedTestContainer, key: string) {
    super(container);
    this.#key = key;
  }

  /** The address of the container from this machine, such as `http://localhost:32768`. */
  getUrl(): string {
    return `http://${this.getHost()}:${this.getMappedPort(PORT)}`;
  }

  /** The API key with every scope. */
  getKey(): string {
    return this.#key;
  }
}
