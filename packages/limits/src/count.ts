/** The state of a bucket's window, including the request that was just counted. */
export type Count = {
  requests: number;
  /** Time until the window ends: never more than a window's length. */
  leftMs: number;
};

/** `Counted` is a Count, or a promise of one. */
export interface Counter<Counted> {
  count(bucket: string): Counted;
  /** Reads the count without counting. A bucket without a window has no requests and no time left. */
  look(bucket: string): Counted;
  /** Takes one request back from the window, if it is still the same one. */
  giveBack(bucket: string): void | Promise<unknown>;
  /** Ends the window. */
  forget(bucket: string): void | Promise<unknown>;
}
