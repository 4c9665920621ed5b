import { createProduct, type Product } from '@tidewatch/testkit/product';

/** A running service that the scenarios ask over HTTP; nothing in them knows what it is made of. */
export interface Target {
  url: string;
  key: string;
  /** Stops and starts it on the same data; absent where it is somebody else's to do. */
  restart?: () => Promise<void>;
  /** The same after killing every process at once. */
  crash?: () => Promise<void>;
  close(): Promise<void>;
}

/** The service at TIDEWATCH_E2E_URL with the admin key TIDEWATCH_E2E_KEY, else a copy started for this suite. */
export async function openTarget(): Promise<Target> {
  const { TIDEWATCH_E2E_URL: url, TIDEWATCH_E2E_KEY: key } = process.env;
  if (url && key) return { url: url.replace(/\/+$/, ''), key, close: async () => {} };
  const product = await createProduct();
  await product.start().catch(async (error: unknown) => {
    await product.remove();
    throw error;
  });
  return ofProduct(product);
}

function ofProduct(product: Product): Target {
  return {
    url: product.url,
    key: product.key,
    restart: async () => {
      await product.stop();
      await product.start();
    },
    crash: async () => {
      await product.kill();
      await product.start();
    },
    close: () => product.remove(),
  };
}
