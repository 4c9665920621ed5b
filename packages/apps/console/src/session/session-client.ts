import type { TidewatchClient } from '@tidewatch/api-client/client';
import { ApiProblem } from '@tidewatch/api-client/problem';

/** What a client waits for before it repeats a request that the server refused. */
export interface SessionGates {
  /** The number of the session in which a request is sent. */
  epoch(): number;
  /** Resolves when somebody is signed in, other than in the session in which the refused request was sent. */
  signedIn(sentIn: number): Promise<void>;
  /** Resolves to whether the user confirmed who it is. */
  confirmed(): Promise<boolean>;
}

type Send = (...given: never[]) => Promise<unknown>;

/**
 * A client whose requests wait while the user signs in (401) or confirms who it is (403 `confirmation_needed`), and then
 * continue with what they were about to send.
 */
export function sessionClient(client: TidewatchClient, gates: SessionGates): TidewatchClient {
  const patient =
    <Method extends Send>(send: Method) =>
    async (...given: Parameters<Method>): Promise<unknown> => {
      for (;;) {
        const sentIn = gates.epoch();
        try {
          return await send(...given);
        } catch (error) {
          if (!(error instanceof ApiProblem)) throw error;
          if (error.status === 401) await gates.signedIn(sentIn);
          else if (error.code !== 'confirmation_needed' || !(await gates.confirmed())) throw error;
        }
      }
    };
  return {
    ...client,
    get: patient(client.get as Send) as TidewatchClient['get'],
    post: patient(client.post as Send) as TidewatchClient['post'],
    put: patient(client.put as Send) as TidewatchClient['put'],
    patch: patient(client.patch as Send) as TidewatchClient['patch'],
    delete: patient(client.delete as Send) as TidewatchClient['delete'],
  };
}
