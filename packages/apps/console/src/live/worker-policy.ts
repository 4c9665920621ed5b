import workerUrl from './stream-worker.ts?sharedworker&url';

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): {
    createScriptURL(url: string): string;
  };
}

/** Starts the worker that reads the stream. The policy admits its address and no other. */
export function startStreamWorker(): SharedWorker {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('tidewatch-worker', {
    createScriptURL: (url) => {
      if (url !== workerUrl) throw new TypeError(`${url} is not the script of the worker`);
      return url;
    },
  });
  return new SharedWorker(policy?.createScriptURL(workerUrl) ?? workerUrl, {
    type: 'module',
    name: 'tidewatch-stream',
  });
}
