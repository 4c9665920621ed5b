/** Doubles in a row: as many as one cache line holds. */
export const DOUBLES_IN_A_ROW = 8;
/** Rows in one piece of memory. */
const ROWS = 1_024;
const WORDS_IN_A_DOUBLE = 2;
const NONE = 0;

/** Memory of many rows. What was given back is a list that runs through the first words of its rows. */
class Piece {
  readonly doubles = new Float64Array(ROWS * DOUBLES_IN_A_ROW);
  readonly words = new Uint32Array(this.doubles.buffer);
  /** Rows that are handed out. */
  held = 0;
  /** Rows that were handed out at any time. */
  #begun = 0;
  /** The first row of those given back, plus one. */
  #freed = NONE;

  get isFull(): boolean {
    return this.held === ROWS;
  }

  take(): number {
    this.held += 1;
    if (this.#freed === NONE) {
      this.#begun += 1;
      return this.#begun - 1;
    }
    const row = this.#freed - 1;
    this.#freed = this.words[row * DOUBLES_IN_A_ROW * WORDS_IN_A_DOUBLE] as number;
    return row;
  }

  giveBack(row: number): void {
    this.words[row * DOUBLES_IN_A_ROW * WORDS_IN_A_DOUBLE] = this.#freed;
    this.#freed = row + 1;
    this.held -= 1;
  }
}

/**
 * Rows of eight doubles, each of which may be used as two words of 32 bits instead. A row has no object of its own, so
 * that whoever holds one holds a small integer; it keeps its memory until it is given back.
 */
export class RowSlab {
  readonly #pieces: (Piece | undefined)[] = [];
  /** Which pieces have room. */
  readonly #roomy = new Set<number>();

  /** How many rows are handed out. */
  get held(): number {
    return this.#pieces.reduce((sum, piece) => sum + (piece?.held ?? 0), 0);
  }

  /** How many pieces of memory it keeps, of 64 KiB each. */
  get pieces(): number {
    return this.#pieces.filter((piece) => piece !== undefined).length;
  }

  /** Answers a row, at least 0, of numbers that may be any. */
  take(): number {
    const [index = this.#grow()] = this.#roomy;
    const piece = this.#pieces[index] as Piece;
    const row = piece.take();
    if (piece.isFull) this.#roomy.delete(index);
    return index * ROWS + row;
  }

  /** The row must have been taken, and may not be used any more. */
  giveBack(row: number): void {
    const index = Math.floor(row / ROWS);
    const piece = this.#pieces[index] as Piece;
    piece.giveBack(row % ROWS);
    this.#roomy.add(index);
    // The last piece with room stays, lest a row that comes and goes take a piece each time.
    if (piece.held > 0 || this.#roomy.size === 1) return;
    this.#pieces[index] = undefined;
    this.#roomy.delete(index);
  }

  /** One of the row's doubles, by its place from 0 to 7. */
  double(row: number, place: number): number {
    const { doubles } = this.#pieces[Math.floor(row / ROWS)] as Piece;
    return doubles[(row % ROWS) * DOUBLES_IN_A_ROW + place] as number;
  }

  setDouble(row: number, place: number, value: number): void {
    const { doubles } = this.#pieces[Math.floor(row / ROWS)] as Piece;
    doubles[(row % ROWS) * DOUBLES_IN_A_ROW + place] = value;
  }

  /** One of the row's words, by its place from 0 to 15: two for each double. */
  word(row: number, place: number): number {
    const { words } = this.#pieces[Math.floor(row / ROWS)] as Piece;
    return words[(row % ROWS) * DOUBLES_IN_A_ROW * WORDS_IN_A_DOUBLE + place] as number;
  }

  setWord(row: number, place: number, value: number): void {
    const { words } = this.#pieces[Math.floor(row / ROWS)] as Piece;
    words[(row % ROWS) * DOUBLES_IN_A_ROW * WORDS_IN_A_DOUBLE + place] = value;
  }

  #grow(): number {
    const vacant = this.#pieces.indexOf(undefined);
    const index = vacant === -1 ? this.#pieces.length : vacant;
    this.#pieces[index] = new Piece();
    this.#roomy.add(index);
    return index;
  }
}
