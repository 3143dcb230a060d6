import { ChildProcessHandle } from "../setup/child-process.ts";

/** The same work for every sender: `count` POSTs with this body, signed, 64 at a time. */
export type SenderOptions = {
  origin: string;
  body: string;
  secret: string;
  databaseUrl: string;
  redisUrl: string | null;
};
export type SenderQuestion = { do: "prepare" | "run"; count: number };
export type SenderAnswer = { seconds: number; cpuMicros: number } | { failure: string };

export interface Sender {
  /** Preparation, outside the measured time. */
  prepare(count: number): Promise<void>;
  /** Sends `count` deliveries and waits for their end. */
  run(count: number): Promise<{ seconds: number; cpuMicros: number }>;
  stop(): Promise<void>;
}

/** Starts one of the senders that the dispatcher is compared with, in a process of its own. */
export function startSender(file: "bare-sender.ts" | "bullmq-sender.ts", options: SenderOptions): Sender {
  const handle = new ChildProcessHandle(new URL(file, import.meta.url), { args: [JSON.stringify(options)] });
  const ask = async (question: SenderQuestion): Promise<{ seconds: number; cpuMicros: number }> => {
    const answer = (await handle.ask(question)) as SenderAnswer;
    if ("failure" in answer) {
      throw new Error(`${file} failed: ${answer.failure}`);
    }
    return answer;
  };
  return {
    prepare: async (count) => {
      await ask({ do: "prepare", count });
    },
    run: (count) => ask({ do: "run", count }),
    stop: () => handle.stop(),
  };
}

/** Child side of `startSender`. */
export function serveSender(create: (options: SenderOptions) => SenderWork): void {
  // The parent wrote these arguments.
  const work = create(JSON.parse(process.argv[2] ?? "{}") as SenderOptions);
  const perform = async ({ do: what, count }: SenderQuestion): Promise<SenderAnswer> => {
    const startedAtMs = performance.now();
    const before = process.cpuUsage();
    await work[what](count);
    const { user, system } = process.cpuUsage(before);
    return { seconds: (performance.now() - startedAtMs) / 1000, cpuMicros: user + system };
  };
  process.once("disconnect", () => process.exit());
  process.on("message", (question: SenderQuestion) => {
    perform(question).then(
      (answer) => process.send?.(answer),
      (error: unknown) => process.send?.({ failure: error instanceof Error ? error.message : String(error) }),
    );
  });
}

export type SenderWork = Record<SenderQuestion["do"], (count: number) => Promise<void>>;

export const senderConnections = 64;
