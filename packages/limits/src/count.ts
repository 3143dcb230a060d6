/** What is known of a bucket's window with the request that was just counted. */
export type Count = {
  requests: number;
  /** Until the window ends: never more than a window is long. */
  leftMs: number;
};

/** `Counted`: a Count, at once or later. */
export interface Counter<Counted> {
  count(bucket: string): Counted;
  /** What has been counted, without counting; of a bucket without a window none, and nothing is left of it. */
  look(bucket: string): Counted;
  /** One request less in the window, if it is still the same one. */
  giveBack(bucket: string): void | Promise<unknown>;
  /** Ends the window. */
  forget(bucket: string): void | Promise<unknown>;
}
