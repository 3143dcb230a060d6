import { ChildProcessHandle } from "../setup/child-process.ts";

export type CallerOptions = { origin: string; apiKey: string };
type Question = { count: number };
export type Took = { seconds: number; cpuMicros: number };
type Answer = Took | { failure: string };

/** A process that lists wallets in one way. */
export interface Caller {
  /** That many lists, some at a time. */
  run(count: number): Promise<Took>;
  stop(): Promise<void>;
}

const atATime = 16;

type CallerFile = "plain-caller.ts" | "careful-caller.ts" | "client-caller.ts";

export function startCaller(file: CallerFile, options: CallerOptions): Caller {
  const handle = new ChildProcessHandle(new URL(file, import.meta.url), { args: [JSON.stringify(options)] });
  return {
    run: async (count) => {
      const answer = (await handle.ask({ count })) as Answer;
      if ("failure" in answer) {
        throw new Error(`${file} failed: ${answer.failure}`);
      }
      return answer;
    },
    stop: () => handle.stop(),
  };
}

/** Child side of `startCaller`. `listOnce` gives how many wallets it got, which must be twenty. */
export function serveCaller(create: (options: CallerOptions) => () => Promise<number>): void {
  // The parent wrote these arguments.
  const listOnce = create(JSON.parse(process.argv[2] ?? "{}") as CallerOptions);
  process.once("disconnect", () => process.exit());
  process.on("message", ({ count }: Question) => {
    callMany(listOnce, count).then(
      (took) => process.send?.(took),
      (error: unknown) => process.send?.({ failure: error instanceof Error ? error.message : String(error) }),
    );
  });
}

async function callMany(listOnce: () => Promise<number>, count: number): Promise<Took> {
  const startedAtMs = performance.now();
  const before = process.cpuUsage();
  let begun = 0;
  const callOn = async (): Promise<void> => {
    while (begun < count) {
      begun += 1;
      const found = await listOnce();
      if (found !== 20) {
        throw new Error(`A list had ${found} wallets.`);
      }
    }
  };
  await Promise.all(Array.from({ length: atATime }, callOn));
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - startedAtMs) / 1000, cpuMicros: user + system };
}
