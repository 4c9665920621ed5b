import type { JsonSchema } from './json-schema.ts';

// biome-ignore lint/suspicious/noExplicitAny: the answers are those of the contract, whose schemas are tested elsewhere.
export type ApiAnswer = any;

export type ToolArguments = Readonly<Record<string, unknown>>;

/** One operation of the API as a model sees it: with fewer arguments, and answers of bounded size. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** What the tool is for and when another is better, in plain sentences. */
  readonly description: string;
  /** The operation that the tool calls. Its scope in the contract is the scope of the tool. */
  readonly operationId: string;
  /** The argument with the id in the path, such as `alert_id`. */
  readonly id?: string;
  /** The parameters of the operation that may be given, by their names in the contract. */
  readonly query?: readonly string[];
  /** Parameters that are always sent, such as `fields`. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** The members of the body that may be given, by their names in the contract. */
  readonly body?: readonly string[];
  /** Whether the body may have further members, which only the API checks. */
  readonly isOpen?: boolean;
  /** Further arguments, and schemas in place of those of the contract. */
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  /** Arguments that must be given beside those that the contract requires. */
  readonly required?: readonly string[];
  /** Makes the parameters of the request, in place of the arguments of the same names. */
  readonly queryOf?: (given: ToolArguments, now: number) => Readonly<Record<string, unknown>>;
  /** Makes the body of the request, in place of the arguments of the same names. */
  readonly bodyOf?: (given: ToolArguments, now: number) => unknown;
  /** The headers of the request. */
  readonly headersOf?: (given: ToolArguments) => Readonly<Record<string, string>>;
  /** The name of the entries where the operation answers a page of a list. */
  readonly list?: string;
  /** What is shown of the answer, or of each entry of a list: all of it by default. */
  readonly shows?: (answer: ApiAnswer, given: ToolArguments) => Record<string, unknown>;
  /** The ids of evidence and findings that texts of the answer may cite: none by default. */
  readonly cites?: (answer: ApiAnswer) => readonly string[];
  /** For tools that write: whether something is ended or replaced, and whether a second call changes nothing. */
  readonly effect?: { readonly isDestructive: boolean; readonly isIdempotent: boolean };
}
