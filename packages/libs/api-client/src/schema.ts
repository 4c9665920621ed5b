import type { components } from './generated/api.ts';

/** An object of the API by its name in the document, such as `Schema<'Alert'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];
