/** Settings of the product, so that a run measures neither its rate limits nor the build of the console at a first start. */
export const PRODUCT_SETTINGS = {
  TIDEWATCH_RATE_LIMIT_PER_MINUTE: '100000000',
  TIDEWATCH_CONNECTIONS_PER_ADDRESS: '16384',
  TIDEWATCH_CONSOLE: 'off',
};
