/** What is known of a bucket's window with the request that was just counted. */
export type Count = {
  requests: number;
  /** Until the window ends: never more than a window is long. */
  leftMs: number;
};
