import { createSimulatedPorts } from "@gateway/simulation";
import { inheritedEnvironment } from "@gateway/testkit";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startTestAuth, type TestAuth } from "../../apps/auth/test/support/test-auth.ts";
import { startTestGateway, type TestGateway } from "../../apps/gateway/test/support/test-gateway.ts";
import type { DocsSnippet } from "./docs-snippets.ts";
import { installPackedClient } from "./packed-client.ts";
import { startSnippetRunner, type SnippetRunner } from "./snippet-runner.ts";

const run = promisify(execFile);

/**
 * The environment in which the documentation runs: a live gateway and identity provider, and a folder outside of the
 * repository with the packed client.
 */
export type DocsWorld = {
  gateway: TestGateway;
  auth: TestAuth;
  folder: string;
  runner: SnippetRunner;
  /** The variables of a new shell before anything is set in it. */
  shell: Readonly<Record<string, string>>;
  /**
   * Runs a script in a new shell, in which an unset variable is a failure. Returns the status of each response to
   * `curl`.
   */
  paste(script: string, env?: Readonly<Record<string, string>>): Promise<Pasted>;
  stop(): Promise<void>;
};

type Pasted = { stdout: string; stderr: string; statuses: readonly number[] };

/** Prints only the status of each response. */
const curlSettings = 'silent\nshow-error\nwrite-out = "%{stderr}status %{http_code}\\n"\n';

export async function startDocsWorld(snippets: readonly DocsSnippet[]): Promise<DocsWorld> {
  const { folder } = await installPackedClient(
    "@types/node@24.19.2",
    "express@5.3.0",
    "@types/express@5.0.6",
    "jose@6.2.17",
  );
  for (const { id, title, code } of snippets.filter(({ language }) => language === "ts")) {
    await writeFile(join(folder, `${id}.ts`), code);
    if (title?.endsWith(".ts")) {
      await writeFile(join(folder, title), code);
    }
  }
  await writeFile(join(folder, ".curlrc"), curlSettings);
  const shell = { ...inheritedEnvironment(), HOME: folder, CURL_HOME: folder };
  const runner = await startSnippetRunner(folder, shell);
  const auth = await startTestAuth();
  const gateway = await startTestGateway({
    databaseUrl: auth.databaseUrl,
    createPorts: createSimulatedPorts,
    direct: true,
    env: {
      AUTH_URL: auth.origin,
      API_URL: auth.apiUrl,
      ENCRYPTION_KEYS: auth.encryptionKey.toString("base64"),
    },
  });
  return {
    gateway,
    auth,
    folder,
    runner,
    shell,
    paste: async (script, env = {}) => {
      const { stdout, stderr } = await run("bash", ["-euo", "pipefail", "-c", script], {
        env: { ...shell, ...env },
        cwd: folder,
      });
      const statuses = Array.from(stderr.matchAll(/^status (?<status>\d+)$/gm), ({ groups }) =>
        Number(groups?.["status"]),
      );
      return { stdout, stderr, statuses };
    },
    stop: async () => {
      runner.stop();
      await gateway.stop();
      await auth.stop();
    },
  };
}
