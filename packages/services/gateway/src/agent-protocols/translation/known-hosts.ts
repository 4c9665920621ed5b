import { FreeNumbers } from '../series/free-numbers.ts';
import { Computations } from './computed/computations.ts';
import { Outputs } from './outputs/outputs.ts';
import { SharedPieces } from './shared-pieces.ts';
import { type HostStores, TranslatedHost } from './translated-host.ts';

/** The hosts of which series are remembered, of all organizations, by their numbers. A number that is released is given again. */
export class KnownHosts {
  readonly outputs = new Outputs();
  readonly computations = new Computations(this.outputs);
  readonly #hosts: (TranslatedHost | null)[] = [];
  readonly #numbers = new FreeNumbers();
  /** One for all hosts. */
  readonly #stores: HostStores = {
    outputs: this.outputs,
    computations: this.computations,
    pieces: new SharedPieces(this.outputs),
    release: ({ number }) => {
      this.#hosts[number] = null;
      this.#numbers.release(number);
    },
  };

  /** A host without series; once the last of its series is forgotten, so is the host, and `onEmpty` is called with it. */
  create(name: string, onEmpty: (host: TranslatedHost) => void): TranslatedHost {
    const number = this.#numbers.take();
    const host = new TranslatedHost(number, name, this.#stores, onEmpty);
    this.#hosts[number] = host;
    return host;
  }

  of(number: number): TranslatedHost {
    const host = this.#hosts[number];
    if (host == null) throw new Error(`the host ${number} is not known`);
    return host;
  }
}
