import { isId } from '@tidewatch/contracts/values/id';
import type { AlertInstanceState } from '@tidewatch/domain/alerting/alert-instance-state';
import { RowSlab } from '@tidewatch/domain/series/row-slab';
import type { LogPlace } from '@tidewatch/store/alerts/transitions';
import { readLevels, writeLevels } from './level-row.ts';

/** Offsets of the doubles in a row. */
export const VALUE = 0;
export const PEAK_VALUE = 1;
export const PENDING_SINCE = 2;
export const CLEAR_SINCE = 3;
export const BEGUN_AT = 4;
export const BEGUN_VALUE = 5;
const DOUBLES = 6;
/** The last four words of a row hold its reference. */
const FIRST_WORD = 2 * DOUBLES;
const WORDS = 4;
const HEX_IN_A_WORD = 8;
const PARTITION = FIRST_WORD;
const TOPIC = FIRST_WORD + 1;
const OFFSET = 7;
const PREFIX = 'alr_';

/**
 * What the reference of a row stands for: an alert, or the log position of a sample. The owner of the row keeps this value.
 */
export const NOTHING = 0;
export const ALERT = 1;
export const PLACE = 2;
/** Marks a reference that does not fit into four words, such as an id of another form. */
export const ALERT_APART = 3;
export const PLACE_APART = 4;
export type Reference = 0 | 1 | 2 | 3 | 4;

/**
 * Memory of active and pending alert instances: a row of 64 bytes each, and another row for a rule with several thresholds.
 * A row is released when its alert instance ends.
 */
export class ActiveRows {
  readonly #slab = new RowSlab();
  readonly #topics: string[] = [];
  /** For each row of an alert instance with several thresholds, the row that holds their states. */
  readonly #levelRows = new Map<number, number>();
  readonly #apart = new Map<number, string | LogPlace>();

  /** Number of rows in use. */
  get held(): number {
    return this.#slab.held;
  }

  /** Allocates an empty row. */
  take(): number {
    const row = this.#slab.take();
    for (let place = 0; place < DOUBLES; place += 1) this.#slab.setDouble(row, place, Number.NaN);
    return row;
  }

  giveBack(row: number): void {
    this.setLevels(row, null);
    this.#apart.delete(row);
    this.#slab.giveBack(row);
  }

  number(row: number, place: number): number | null {
    const number = this.#slab.double(row, place);
    return Number.isNaN(number) ? null : number;
  }

  setNumber(row: number, place: number, number: number | null): void {
    this.#slab.setDouble(row, place, number ?? Number.NaN);
  }

  /** Returns a copy of the thresholds of a rule with several; null for a rule with one. */
  levels(row: number): AlertInstanceState['levels'] {
    const own = this.#levelRows.size > 0 ? this.#levelRows.get(row) : undefined;
    return own === undefined ? null : readLevels(this.#slab, own);
  }

  setLevels(row: number, levels: AlertInstanceState['levels']): void {
    let own = this.#levelRows.get(row);
    if (levels === null) {
      if (own === undefined) return;
      this.#levelRows.delete(row);
      this.#slab.giveBack(own);
      return;
    }
    if (own === undefined) {
      own = this.#slab.take();
      this.#levelRows.set(row, own);
    }
    writeLevels(this.#slab, own, levels);
  }

  /** Returns the alert that the row refers to; null if it refers to something else. */
  alert(row: number, reference: Reference): string | null {
    if (reference === ALERT_APART) return this.#apart.get(row) as string;
    if (reference !== ALERT) return null;
    let id = PREFIX;
    for (let word = 0; word < WORDS; word += 1)
      id += this.#slab
        .word(row, FIRST_WORD + word)
        .toString(16)
        .padStart(HEX_IN_A_WORD, '0');
    return id;
  }

  setAlert(row: number, id: string): Reference {
    if (!isId('alr', id)) {
      this.#apart.set(row, id);
      return ALERT_APART;
    }
    for (let word = 0; word < WORDS; word += 1) {
      const from = PREFIX.length + word * HEX_IN_A_WORD;
      this.#slab.setWord(row, FIRST_WORD + word, Number.parseInt(id.slice(from, from + HEX_IN_A_WORD), 16));
    }
    return ALERT;
  }

  place(row: number, reference: Reference): LogPlace | null {
    if (reference === PLACE_APART) return this.#apart.get(row) as LogPlace;
    if (reference !== PLACE) return null;
    return {
      topic: this.#topics[this.#slab.word(row, TOPIC)] as string,
      partition: this.#slab.word(row, PARTITION),
      offset: String(this.#slab.double(row, OFFSET)),
    };
  }

  setPlace(row: number, place: LogPlace): Reference {
    const { topic, partition, offset } = place;
    const number = Number(offset);
    if (!Number.isSafeInteger(number) || String(number) !== offset) {
      this.#apart.set(row, place);
      return PLACE_APART;
    }
    this.#slab.setWord(row, PARTITION, partition);
    this.#slab.setWord(row, TOPIC, this.#numberOf(topic));
    this.#slab.setDouble(row, OFFSET, number);
    return PLACE;
  }

  /** Topics are few, so that a linear search is fast enough. */
  #numberOf(topic: string): number {
    const known = this.#topics.indexOf(topic);
    return known === -1 ? this.#topics.push(topic) - 1 : known;
  }
}
