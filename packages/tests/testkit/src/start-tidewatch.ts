import { createOrganization } from './running-tidewatch.ts';

/** A Tidewatch for one suite, without any data. */
export interface Tidewatch {
  /** The address, such as `http://localhost:32768`. */
  url: string;
  /** An admin key. */
  key: string;
  /** Removes the container; does nothing to a Tidewatch that was already running. */
  stop(): Promise<void>;
}

export interface TidewatchOptions {
  /** The image of the container; by default `TIDEWATCH_TEST_IMAGE`, else `tidewatch-standalone:local`. */
  image?: string;
  /** Settings of the container, such as `{ TIDEWATCH_RATE_LIMIT_PER_MINUTE: '10' }`. */
  settings?: Readonly<Record<string, string>>;
}

const DEFAULT_IMAGE = 'tidewatch-standalone:local';

/**
 * Starts a Tidewatch in a container; if `TIDEWATCH_TEST_URL` names a running one, creates an organization there with the
 * key `TIDEWATCH_TEST_KEY` instead. Rejects with advice if neither is possible.
 */
export async function startTidewatch(options: TidewatchOptions = {}): Promise<Tidewatch> {
  const { TIDEWATCH_TEST_URL: url, TIDEWATCH_TEST_KEY: operatorKey } = process.env;
  if (!url) return startContainer(options);
  if (!operatorKey)
    throw new Error('TIDEWATCH_TEST_URL is set: set TIDEWATCH_TEST_KEY to a key with the scope operator.');
  if (Object.keys(options.settings ?? {}).length > 0)
    throw new Error(
      'Settings cannot be changed on a running Tidewatch: unset TIDEWATCH_TEST_URL to start one in a container.',
    );
  const { key } = await createOrganization(url, operatorKey);
  return { url: url.replace(/\/+$/, ''), key, stop: async () => undefined };
}

// Imports testcontainers only here, because suites on a running Tidewatch do not need it.
async function startContainer({ image, settings = {} }: TidewatchOptions): Promise<Tidewatch> {
  const { TidewatchContainer } = await import('./container.ts');
  const container = new TidewatchContainer(image ?? process.env['TIDEWATCH_TEST_IMAGE'] ?? DEFAULT_IMAGE);
  const started = await container.withEnvironment(settings).start();
  return {
    url: started.getUrl(),
    key: started.getKey(),
    stop: async () => {
      await started.stop();
    },
  };
}
