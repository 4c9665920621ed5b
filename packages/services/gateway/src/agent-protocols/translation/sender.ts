/** Who sends a request. */
export interface Sender {
  /** Differs between senders that have a localhost of their own: the key and the client's address. */
  id: string;
  /** The host by the header X-Tidewatch-Host, which goes before every label; null without it. */
  host: string | null;
  /** The host for series that name none: the only one that the key may report for; null if it may for several. */
  onlyHost: string | null;
  isAllowed(host: string): boolean;
  /** When the request arrived, ms. */
  receivedAt: number;
  /** Whether a time of 0 stands for the arrival, as in OTLP. */
  zeroIsArrival: boolean;
}
