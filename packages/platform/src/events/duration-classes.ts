/** Limits between the classes of durations in ms. Above 4 ms, each is at most a third greater than the one before. */
export const durationClasses: readonly number[] = [
  1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500, 600, 800, 1_000,
  1_200, 1_500, 2_000, 2_500, 3_000, 4_000, 5_000,
];
