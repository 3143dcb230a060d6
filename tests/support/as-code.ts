import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { repository } from "./source-files.ts";

const run = promisify(execFile);

/** A request to the API, from a screen, a shell or a program. */
export type Asked = { method: string; target: string; body: unknown };

type Answer = { status: number; text: string };

/** A proxy in front of the API that records the requests. */
export type Recorder = {
  url: string;
  /** Returns the requests since the last call. */
  take(): Asked[];
  /** With null, requests reach the API. Otherwise every request gets the given response and has no effect. */
  pass(answer: Answer | null): void;
  /** The last response of the API. */
  last(): Answer;
  stop(): Promise<void>;
};

export async function startRecorder(apiUrl: string): Promise<Recorder> {
  const asked: Asked[] = [];
  let instead: Answer | null = null;
  let last: Answer = { status: 0, text: "" };
  const server = createServer((req, res) => {
    void (async () => {
      let text = "";
      for await (const chunk of req as AsyncIterable<Buffer>) {
        text += chunk.toString("utf8");
      }
      const { method = "", url: target = "" } = req;
      asked.push({ method, target, body: bodyOf(text) });
      if (instead === null) {
        const headers = Object.fromEntries(
          ["x-api-key", "authorization", "idempotency-key", "content-type"].flatMap((name) => {
            const value = req.headers[name];
            return typeof value === "string" ? [[name, value]] : [];
          }),
        );
        const response = await fetch(apiUrl + target, { method, headers, ...(text !== "" && { body: text }) });
        last = { status: response.status, text: await response.text() };
      }
      const { status, text: answer } = instead ?? last;
      res.writeHead(status, { "Content-Type": "application/json", Connection: "close" }).end(answer);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    take: () => asked.splice(0),
    pass: (answer) => {
      instead = answer;
    },
    last: () => last,
    stop: async () => {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The sent body, parsed from JSON. Undefined when there is none. */
export function bodyOf(text: string | null): unknown {
  return text === null || text === "" ? undefined : (JSON.parse(text) as unknown);
}

/** A folder in which snippets run, with the API key in the environment as they expect it. */
export type CodeRoom = {
  /** Pastes the snippet into bash. Resolves to the output of curl. */
  curl(snippet: string): Promise<unknown>;
  /** Runs programs with the client of this repository. Resolves to the values that each program logged. */
  typescript(snippets: readonly string[]): Promise<unknown[]>;
};

export async function makeCodeRoom({ apiUrl, key }: { apiUrl: string; key: string }): Promise<CodeRoom> {
  const folder = await mkdtemp(join(tmpdir(), "as-code-"));
  const client = pathToFileURL(join(repository, "packages/client/src/index.ts")).href;
  await writeFile(join(folder, "package.json"), `{"type":"module"}`);
  await writeFile(
    join(folder, "client.ts"),
    `import { createClient } from ${JSON.stringify(client)};\nexport const client = createClient({ baseUrl: ${JSON.stringify(apiUrl)}, apiKey: ${JSON.stringify(key)}, maxRetries: 0 });\n`,
  );
  await writeFile(
    join(folder, "run.ts"),
    `const say = console.log;\nconsole.log = (data) => say(JSON.stringify(data ?? null));\nfor (const file of process.argv.slice(2)) await import(file).catch((error) => say(JSON.stringify(error.code)));\n`,
  );
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, GATEWAY_API_KEY: key, ACCESS_TOKEN: "of a person" };
  let count = 0;
  return {
    curl: async (snippet) => {
      const file = join(folder, `${(count += 1)}.sh`);
      await writeFile(file, `${snippet}\n`);
      const { stdout } = await run("bash", ["--noprofile", "--norc", file], { cwd: folder, env, maxBuffer: 1e8 });
      return JSON.parse(stdout) as unknown;
    },
    typescript: async (snippets) => {
      const files: string[] = [];
      for (const snippet of snippets) {
        const file = join(folder, `${(count += 1)}.ts`);
        await writeFile(file, snippet);
        files.push(file);
      }
      const { stdout } = await run(process.execPath, ["run.ts", ...files], { cwd: folder, env, maxBuffer: 1e8 });
      return stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown);
    },
  };
}
