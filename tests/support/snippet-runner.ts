import { fork } from "node:child_process";
import { once } from "node:events";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";

export type SnippetRunner = {
  /** Runs the file to its end. Resolves to the errors that it printed or threw. No file runs twice. */
  run(file: string, env: Readonly<Record<string, string>>): Promise<string>;
  stop(): void;
};

/**
 * Starts a process in the folder of the snippets. It runs one snippet after the other, with the packages that are
 * installed there.
 */
export async function startSnippetRunner(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<SnippetRunner> {
  const script = join(folder, "run-snippets.mjs");
  await copyFile(new URL("run-snippets.mjs", import.meta.url), script);
  const child = fork(script, [], {
    cwd: folder,
    env: { ...env },
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const died = once(child, "exit").then(() => [{ stderr: "A snippet ended the process that runs them." }]);
  return {
    run: async (file, own) => {
      child.send({ file: join(folder, file), env: own });
      // Only `run-snippets.mjs` sends on this channel.
      const [answer] = (await Promise.race([once(child, "message"), died])) as [{ stderr: string }];
      return answer.stderr;
    },
    stop: () => child.kill(),
  };
}
