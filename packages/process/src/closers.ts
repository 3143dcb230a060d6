export type Closers = {
  add(close: () => Promise<void>): void;
  /** The last added first, each after the one before. A second call closes only what was added since. */
  closeAll(): Promise<void>;
};

/** Starts something of several parts. When `start` rejects, what it added is closed, so nothing is left running. */
export async function startWithClosers<Running>(start: (closers: Closers) => Promise<Running>): Promise<Running> {
  const closers = createClosers();
  try {
    return await start(closers);
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

function createClosers(): Closers {
  const list: (() => Promise<void>)[] = [];
  return {
    add: (close) => {
      list.push(close);
    },
    closeAll: async () => {
      for (const close of list.splice(0).reverse()) {
        await close();
      }
    },
  };
}
