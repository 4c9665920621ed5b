/** The header that names the host of every series of a request, for senders that know none. */
export const HOST_HEADER = 'x-tidewatch-host';
