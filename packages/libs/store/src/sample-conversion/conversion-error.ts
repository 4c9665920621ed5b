/** The conversion of samples stopped, and every row is where it was before. The message says why and what to do. */
export class ConversionError extends Error {
  override name = 'ConversionError';
}
