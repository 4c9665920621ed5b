interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): {
    createScriptURL(url: string): unknown;
  };
}

/** The content security policy names this one policy, and no code may create it twice. */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(
  'tidewatch-worker',
  {
    createScriptURL: (url) => {
      if (new URL(url, location.href).origin !== location.origin)
        throw new TypeError(`${url} is not a script of this origin`);
      return url;
    },
  },
);

/** The address of a worker's script, which `new Worker` and `new SharedWorker` take under the policy of the page. */
export function trustedUrl(url: string): string {
  return (policy?.createScriptURL(url) ?? url) as string;
}
