export type AtEndOfTurn = (work: () => void) => void;

/**
 * Puts work off to the end of this turn of the event loop, and does all of it then in its order, one right behind the
 * other. For what writes to sockets: each write wakes who waits at its other end, which costs as much as the write
 * does, and several in a row find it awake. When `most` wait, they are done at once, so none waits for more than that.
 * When nothing else has come in, the end of the turn is now. Work must not throw.
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
