import { FreeNumbers } from '../series/free-numbers.ts';
import { Computations } from './computed/computations.ts';
import { Outputs } from './outputs/outputs.ts';
import { SharedPieces } from './shared-pieces.ts';
import { TranslatedHost } from './translated-host.ts';

/** The hosts of which series are remembered, of all organizations, by their numbers. A number that is released is given again. */
export class KnownHosts {
  readonly outputs = new Outputs();
  readonly computations = new Computations(this.outputs);
  readonly #pieces = new SharedPieces(this.outputs);
  readonly #hosts: (TranslatedHost | null)[] = [];
  readonly #numbers = new FreeNumbers();

  /** A host without series; once the last of its series is forgotten, so is the host, and `onEmpty` is called. */
  create(name: string, onEmpty: () => void): TranslatedHost {
    const number = this.#numbers.take();
    const stores = { outputs: this.outputs, computations: this.computations, pieces: this.#pieces };
    const host = new TranslatedHost(number, name, stores, () => {
      this.#hosts[number] = null;
      this.#numbers.release(number);
      onEmpty();
    });
    this.#hosts[number] = host;
    return host;
  }

  of(number: number): TranslatedHost {
    const host = this.#hosts[number];
    if (host == null) throw new Error(`the host ${number} is not known`);
    return host;
  }
}
