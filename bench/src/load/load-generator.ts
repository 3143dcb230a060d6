import { ChildProcessHandle } from "../setup/child-process.ts";
import type { LoadJob, LoadResult } from "./run-load.ts";

export interface LoadGenerator {
  run(job: LoadJob): Promise<LoadResult>;
  stop(): Promise<void>;
}

/** A process that sends requests, apart from the servers and from what compares them. */
export function startLoadGenerator(): LoadGenerator {
  const child = new ChildProcessHandle(new URL("./generator-process.ts", import.meta.url));
  return {
    run: async (job) => {
      const answer = (await child.ask(job)) as { result: LoadResult } | { failure: string };
      if ("failure" in answer) {
        throw new Error(`The load failed: ${answer.failure}`);
      }
      return answer.result;
    },
    stop: () => child.stop(),
  };
}
