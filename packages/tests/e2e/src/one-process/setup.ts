import { createProduct, type Variables } from '@tidewatch/harness/product';
import { freePort } from '@tidewatch/stack/parts/free-port';
import type { TestProject } from 'vitest/node';
import { serveProduct } from '../control.ts';
import { SETTINGS } from '../settings.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** For each worker the address at which its copy in one process is controlled, and the port of OTLP over gRPC. */
    productsOfWorkers: { control: string; grpcPort: number }[] | undefined;
  }
}

/**
 * Vitest's global setup of scenarios on one process: a copy for each worker, which its suites share one after the other. It starts
 * once a suite opens it.
 */
export default (project: TestProject) => setUp(project, {});

/** The same with settings beside those of all scenarios. */
export async function setUp(project: TestProject, settings: Variables): Promise<() => Promise<void>> {
  const opened = await Promise.all(
    Array.from({ length: project.config.maxWorkers }, () => prepare(settings)),
  );
  project.provide(
    'productsOfWorkers',
    opened.map(({ control, grpcPort }) => ({ control, grpcPort })),
  );
  return async () => void (await Promise.all(opened.map(({ close }) => close())));
}

async function prepare(settings: Variables) {
  const grpcPort = await freePort();
  const product = await createProduct({
    ...SETTINGS,
    ...settings,
    TIDEWATCH_OTLP_GRPC_PORT: String(grpcPort),
  });
  const { url, close } = await serveProduct(product);
  return {
    control: url,
    grpcPort,
    async close() {
      await close();
      await product.remove();
    },
  };
}
