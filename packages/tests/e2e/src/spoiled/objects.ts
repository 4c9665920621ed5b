import type { Client } from '../client.ts';
import { makersOf } from '../isolation/belongings.ts';

/** The kinds of objects that must exist before an object of another kind can be created. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  rules: ['channels'],
  alerts: ['rules', 'services'],
  notifications: ['alerts'],
  investigations: ['services'],
};

const MAKE_ATTEMPTS = 5;

/** One object of each kind that requests can name; a deleted object is created again. */
export interface Objects {
  idOf(noun: string): Promise<string> | undefined;
  /** The ids of the existing objects, by prefix. */
  ids(): ReadonlyMap<string, string>;
  /** Records that an object was deleted. */
  forget(id: string): void;
}

/** Creates objects in the organization of `owner`; all of their texts contain `name`. */
export async function makeObjects(owner: Client, name: string, receiver: string): Promise<Objects> {
  const makers = makersOf(owner, name, `${receiver}/hook`);
  const made = new Map<string, string>();
  const making = new Map<string, Promise<string>>();

  /** Creates an object; retries, because another request may delete an object that it depends on. */
  async function make(noun: string): Promise<string> {
    for (let left = MAKE_ATTEMPTS; ; left -= 1) {
      try {
        for (const needed of NEEDS[noun] ?? []) await idOf(needed);
        const id = await makers.get(noun)?.(made);
        if (id === undefined) throw new Error(`the suite has no way to create ${noun}`);
        made.set(noun, id);
        making.delete(noun);
        return id;
      } catch (error) {
        if (left > 1) continue;
        making.delete(noun);
        throw error;
      }
    }
  }

  function idOf(noun: string): Promise<string> | undefined {
    if (!makers.has(noun)) return undefined;
    const id = made.get(noun);
    if (id !== undefined) return Promise.resolve(id);
    const wanted = making.get(noun) ?? make(noun);
    making.set(noun, wanted);
    return wanted;
  }

  for (const noun of makers.keys()) await idOf(noun);
  return {
    idOf,
    ids: () => new Map([...made.values()].map((id) => [id.slice(0, 3), id])),
    forget(id) {
      for (const [noun, known] of made) if (known === id) made.delete(noun);
    },
  };
}
