export type AtEndOfTurn = (work: () => void) => void;

/**
 * Defers work to the end of this turn of the event loop, and then does all of it in order, without a pause. It is for
 * writes to sockets. Each write wakes the reader at the other end, which costs as much as the write itself; several in
 * a row find it awake. When `most` pieces wait, they are done at once, so none waits for more than that. When nothing
 * else has come in, the end of the turn is now. Work must not throw.
 */
export function createEndOfTurn({ most = 16 }: { most?: number } = {}): AtEndOfTurn {
  let waiting: (() => void)[] = [];
  const doAll = (): void => {
    const all = waiting;
    waiting = [];
    for (const work of all) {
      work();
    }
  };
  return (work) => {
    const count = waiting.push(work);
    if (count === most) {
      doAll();
    } else if (count === 1) {
      setImmediate(doAll);
    }
  };
}
